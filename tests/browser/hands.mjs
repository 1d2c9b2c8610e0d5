// What a visitor's hands do, and what their eyes read: shared by the tests.

import assert from 'node:assert/strict';

/** The scenes' names on their tabs. */
export const SCENES = ['Create', 'Scale', 'Upgrade', 'Burst', 'Second resource', 'Delete'];
/** The queues' names on their switch. */
export const QUEUES = ['client-go queue', 'Plain channel'];

export const button = (page, name) => page.getByRole('button', { name, exact: true });
export const tab = (page, scene) => page.getByRole('tablist', { name: 'Scenes' }).getByRole('tab').nth(scene - 1);

/** Resolves when `ready` (run in the page, with `argument`) says something true. It is asked again and again. */
export const until = (page, ready, argument) => page.waitForFunction(ready, argument, { polling: 50, timeout: 60_000 });

/** Resolves when what was playing stands still. */
export const still = (page) => until(page, () => document.querySelector('.play').ariaLabel === 'Play');

/** The counters and what else changes with a fact, read at one instant. */
export const read = (page) =>
  page.evaluate(() => {
    const text = (testid) => document.querySelector(`[data-testid=${testid}]`).textContent;
    const number = (testid) => Number(text(testid));
    return {
      revision: number('revision'),
      events: number('event-count'),
      merged: number('merged-count'),
      reconciles: number('reconcile-count'),
      retries: number('retry-count'),
      ready: number('queue-depth'),
      clock: parseFloat(text('clock')),
      pace: document.querySelector('.pace').textContent,
      playing: document.querySelector('.play').ariaLabel === 'Pause',
      caption: text('caption'),
      place: document.querySelector('.kicker').firstChild.textContent,
      scene: [...document.querySelectorAll('[id^=tab-]')].findIndex((tab) => tab.ariaSelected === 'true') + 1,
    };
  });

/** The log's lines, oldest first. */
export const log = (page) => page.getByTestId('log').locator('li').allTextContents();

export const isOff = async (found) => (await found.getAttribute('aria-disabled')) === 'true';

/** At ten times the speed there is less to wait for. */
export const fast = (page) => page.getByLabel('Speed', { exact: true }).selectOption('10');

/** The beginning of a scene, counted from 1. */
export async function toScene(page, scene) {
  await tab(page, scene).click();
  await until(page, (id) => document.getElementById(id).ariaSelected === 'true', `tab-${scene}`);
}

/** *Next step* as often as said; a click finishes the step that is under way, so this does not wait for each. */
export async function next(page, times = 1) {
  for (let click = 0; click < times; click += 1) await button(page, 'Next step').click();
  await still(page);
}

/** Stands `times` beats further on at once: each press of N finishes the step before, and B the one too many. */
export async function skip(page, times = 1) {
  await page.evaluate(() => document.activeElement.blur());
  for (let press = 0; press <= times; press += 1) await page.keyboard.press('n');
  await page.keyboard.press('b');
}

/** Seeks to `share` of the story time that the timeline shows: a press on the strip, without moving the mouse. */
export const seek = (page, share) =>
  page.evaluate(async (share) => {
    const strip = document.querySelector('[role=slider]');
    const box = strip.getBoundingClientRect();
    const at = { clientX: box.left + box.width * share, clientY: box.top + 2, bubbles: true, button: 0, pointerId: 1 };
    for (const type of ['pointerdown', 'pointerup']) strip.dispatchEvent(new PointerEvent(type, at));
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  }, share);

/** The burst at 5.262 s: revision 12, eleven events delivered, one half way through the watch. */
export async function midBurst(page) {
  await toScene(page, 4);
  let [from, to] = [0, 1];
  for (let halving = 0; halving < 20; halving += 1) {
    const middle = (from + to) / 2;
    await seek(page, middle);
    const { clock } = await read(page);
    if (clock >= 5.262 && clock <= 5.263) return;
    if (clock < 5.262) from = middle;
    else to = middle;
  }
  assert.fail('5.262 s was not found on the timeline');
}
