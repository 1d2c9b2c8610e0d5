// A second engine: chapter one in Firefox, by WebDriver BiDi. Skipped where there is no Firefox.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { after, test } from 'node:test';
import { launch } from 'puppeteer-core';
import { read } from './hands.mjs';
import { READY_TIMEOUT } from './page.mjs';
import { BASE, serve } from './server.mjs';
import { openTerminal } from './terminal.mjs';

/** $FIREFOX (script/test sets it), or the first known name on PATH. */
function findFirefox() {
  if (process.env.FIREFOX) return process.env.FIREFOX;
  const places = (process.env.PATH ?? '').split(delimiter);
  return ['firefox-esr', 'firefox'].flatMap((name) => places.map((place) => join(place, name))).find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

const firefox = findFirefox();
const skip = firefox ? false : 'no Firefox on this machine: install firefox-esr, or set FIREFOX to one';
const server = firefox && (await serve());
const browser = firefox && (await launch({ browser: 'firefox', executablePath: firefox, headless: true }));
after(async () => {
  await browser?.close();
  await server?.close();
});

/** Calls `body(page)` with the whole page ready, and fails if Firefox has reported a problem meanwhile. */
async function visit(fragment, body) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  const problems = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => problems.push(`page error: ${error.message}`));
  page.on('requestfailed', (request) => problems.push(`request failed: ${request.url()} (${request.failure()?.errorText})`));
  page.on('response', (response) => response.status() >= 400 && problems.push(`${response.status()}: ${response.url()}`));
  try {
    await page.setViewport({ width: 1280, height: 800 });
    // A tab that is not in front is at rest.
    await page.bringToFront();
    await page.goto(server.url + (fragment && `#${fragment}`));
    await page.waitForSelector('html[data-ready="true"]', { timeout: READY_TIMEOUT });
    await body(page);
  } catch (error) {
    if (problems.length) error.message += `\nFirefox reported:\n${problems.join('\n')}`;
    throw error;
  } finally {
    await context.close();
  }
  assert.deepEqual(problems, [], 'Firefox reported problems');
}

const button = (page, name) => page.$(`::-p-aria([name="${name}"][role="button"])`);

/** Waits until `ready` (run in the page, with `argument`) says something true. */
const until = (page, ready, argument) => page.waitForFunction(ready, { polling: 50, timeout: 60_000 }, argument);

/** Walks with *Next step* from the beginning to the end; what the counters show at the end of each scene. */
async function walk(page) {
  const go = await button(page, 'Next step');
  const ends = [];
  let seen = await read(page);
  for (let click = 0; click < 100; click += 1) {
    if (await go.evaluate((element) => element.ariaDisabled === 'true')) {
      await until(page, () => document.querySelector('.play').ariaLabel === 'Play');
      return [...ends, await read(page)];
    }
    // Faster than it plays: this click finishes the step before.
    await go.click();
    const before = seen;
    seen = await read(page);
    assert.notEqual(seen.caption, before.caption, 'each step is told in words of its own');
    if (seen.scene === before.scene) continue;
    assert.equal(seen.scene, before.scene + 1, 'the scenes come in their order');
    // Where a scene has come to is where the next one begins: a variant that was shown in between is left.
    ends.push(seen);
  }
  return assert.fail('the walk has no end');
}

const hash = (page, ...asked) =>
  page.evaluate(async (asked) => {
    const bytes = new TextEncoder().encode(window.wasmBindings.records(...asked));
    return [...new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  }, asked);

test('in Firefox the page opens under a sub-path, and the rest of the program joins the first part', { skip }, async (t) => {
  t.diagnostic(await browser.version());
  await visit('', async (page) => {
    assert.equal(new URL(page.url()).pathname, BASE);
    const { whole, loads } = await page.evaluate(() => ({
      whole: 'whole' in document.documentElement.dataset,
      loads: performance.getEntriesByType('resource').filter(({ name }) => /loopscope-rest-/.test(name)).map(({ initiatorType }) => initiatorType),
    }));
    assert.ok(whole);
    assert.deepEqual(loads, ['fetch'], 'it is loaded once, and nothing waits for it on the spot');
    // These are drawn by the rest.
    for (const name of ['Burst ×10', 'Play', 'Share', 'Undo']) assert.ok(await button(page, name), name);
  });
});

// Reconciles at each scene's end.
const RUNS = [
  { queue: 'client-go queue', reconciles: [2, 4, 6, 9, 11, 12], merged: 7 },
  { queue: 'Plain channel', reconciles: [2, 4, 6, 16, 18, 19], merged: 0 },
];

for (const { queue, reconciles, merged } of RUNS) {
  test(`in Firefox, with the ${queue}, Next step walks all six scenes to ${reconciles[5]} reconciles`, { skip }, () =>
    visit('', async (page) => {
      const choose = await button(page, queue);
      await choose.click();
      assert.equal(await choose.evaluate((element) => element.ariaPressed), 'true');
      const ends = await walk(page);
      assert.deepEqual(ends.map((end) => end.reconciles), reconciles);
      assert.deepEqual(ends.map((end) => end.revision), [1, 2, 3, 13, 14, 15]);
      const end = ends.at(-1);
      assert.deepEqual([end.merged, end.retries, end.ready, end.pace], [merged, 0, 0, 'at rest']);
    }));
}

test('in Firefox a burst is played and taken back', { skip }, () =>
  visit('1/control-loop/2', async (page) => {
    const reached = (revision) => until(page, (revision) => Number(document.querySelector('[data-testid=revision]').textContent) === revision, revision);
    await reached(1);
    await page.select('.speed select', '10');
    await (await button(page, 'Burst ×10')).click();
    await (await button(page, 'Play')).click();
    // With what the scene itself writes at that instant.
    await reached(12);
    await page.keyboard.down('Control');
    await page.keyboard.press('z');
    await page.keyboard.up('Control');
    await reached(1);
  }));

test('in Firefox, too, the records of both presets are the terminal’s, byte for byte', { skip }, async () => {
  const terminal = await openTerminal();
  await visit('', async (page) => {
    for (const preset of ['article', 'client-go']) {
      for (const [seed, fail] of [['3', 'none'], ['7', null], ['3', '2,3']]) {
        const printed = await terminal('--json', '--preset', preset, '--seed', seed, ...(fail ? ['--fail', fail] : []));
        assert.equal(await hash(page, preset, seed, fail), createHash('sha256').update(printed).digest('hex'), `${preset}, seed ${seed}, failing ${fail}`);
      }
    }
  });
});
