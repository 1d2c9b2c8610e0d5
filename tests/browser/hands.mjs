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

/** *Step forward*, one fact at a time and at once, until `there(what is read)`. */
export async function stepUntil(page, there, { most = 400 } = {}) {
  for (let step = 0; step < most; step += 1) {
    if (await there(page)) return;
    await button(page, 'Step forward').click();
  }
  assert.fail(`after ${most} steps it was not there`);
}
