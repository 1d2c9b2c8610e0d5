// A panic: what happened is told, the loop and the input stop, and there are two ways out.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openSite } from './page.mjs';

const site = await openSite();
after(() => site.close());

const BAIT = '<img src=x onerror=window.bitten=1>';

/** Makes the page panic for real: the browser refuses what Yew takes for granted, with words of our choice. */
const provoke = (page) => page.evaluate((words) => {
  for (const name of ['insertBefore', 'appendChild']) {
    const real = Node.prototype[name];
    Node.prototype[name] = function refuse(...given) {
      if (given[0].nodeType === 1 && given[0].closest?.('dialog')) return real.apply(this, given);
      if (this.closest?.('dialog')) return real.apply(this, given);
      throw new Error(words);
    };
  }
}, BAIT);

async function fall(page, problems) {
  await page.getByRole('button', { name: 'Next step', exact: true }).click();
  await page.waitForTimeout(1200);
  await provoke(page);
  await page.getByRole('tab', { name: 'Metrics', exact: true }).click();
  await page.locator('dialog.fallen').waitFor();
  problems.length = 0; // the fall itself is reported, as it should be
}

test('a panic shows what happened, as text, and the link that reproduces it', () =>
  site.visit({}, async (page, problems) => {
    await fall(page, problems);
    const said = await page.locator('dialog.fallen').innerText();
    assert.match(said, /panicked at/);
    assert.match(said, /#1\/control-loop\/1/);
    assert.equal(await page.evaluate(() => window.bitten), undefined);
    assert.equal(await page.locator('dialog.fallen img').count(), 0);
    await page.keyboard.press('Escape');
    assert.ok(await page.locator('dialog.fallen').isVisible());
  }));

test('after a panic neither the loop nor the input goes on', () =>
  site.visit({}, async (page, problems) => {
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await fall(page, problems);
    const clock = () => page.locator('.clock').textContent();
    const then = await clock();
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowRight');
    await page.waitForTimeout(400);
    assert.equal(await clock(), then);
    assert.deepEqual(problems, []);
  }));

test('the two ways out: this moment again, and the beginning', () =>
  site.visit({}, async (page, problems) => {
    await fall(page, problems);
    const address = page.url();
    assert.match(address, /#1\/control-loop\/1/);
    await page.getByRole('link', { name: 'Reload this moment' }).click();
    await page.waitForSelector('html[data-ready="true"]:not([data-panic])', { state: 'attached' });
    assert.equal(page.url(), address);
    assert.match(await page.locator('.kicker').innerText(), /step 2 of/);
    await fall(page, problems);
    await page.getByRole('link', { name: 'Start over' }).click();
    await page.waitForSelector('html[data-ready="true"]:not([data-panic])', { state: 'attached' });
    assert.match(await page.locator('.kicker').innerText(), /^Scene 1 of 6 · step 1 of/);
  }));
