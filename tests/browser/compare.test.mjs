// Two runs: one above the other while they are played, and what is taken along from one to the other.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { button, next, seek, still, tab, until } from './hands.mjs';
import { openSite } from './page.mjs';

let site;
before(async () => {
  site = await openSite();
});
after(() => site.close());

test('while two runs are compared, each is drawn as its own facts happen', () =>
  site.visit({ fragment: '1/control-loop/4' }, async (page) => {
    await button(page, 'Compare').click();
    await button(page, 'Play').click();
    // Whatever a pause draws anew was drawn already: but for the two stages' moving parts, which are the painter's.
    const behind = await page.evaluate(async () => {
      const frame = () => new Promise((done) => requestAnimationFrame(done));
      const shown = () => [...document.querySelectorAll('.lanes')].map((lanes) =>
        [...lanes.querySelectorAll('.lane')].map((lane) => lane.innerText).join(' | '));
      const press = (label) => document.querySelector(`.play[aria-label="${label}"]`).click();
      const faults = [];
      for (let look = 0; look < 40; look += 1) {
        for (let n = 0; n < 12; n += 1) await frame();
        const before = shown();
        press('Pause');
        await frame();
        const after = shown();
        after.forEach((text, run) => {
          if (text !== before[run]) faults.push(`run ${run}: ${before[run]}\n→ ${text}`);
        });
        press('Play');
        await frame();
      }
      return { runs: shown().length, faults };
    });
    assert.equal(behind.runs, 2);
    assert.deepEqual(behind.faults, []);
  }));

test('the timeline grows where only the run beside goes on', () =>
  site.visit({ fragment: '1/control-loop/3?beside-limiter=exponential:1ms:1ms&beside-chance=1000&beside-upgrade=0ns' }, async (page) => {
    const slider = page.getByRole('slider', { name: 'Timeline' });
    const value = async (name) => Number(await slider.getAttribute(`aria-value${name}`));
    await button(page, 'All').click();
    const end = await value('max');
    await seek(page, 0.9999);
    await button(page, 'Play').click();
    await until(page, (end) => Number(document.querySelector('[role=slider]').getAttribute('aria-valuemax')) > end, end);
    await button(page, 'Pause').click();
    await still(page);
    assert.ok(await value('now') <= await value('max'));
    assert.ok(await value('now') > end * 0.99, 'it went on, and not to the beginning');
  }));

test('of runs that go on and on nothing is concluded from unlike stretches of time', () =>
  site.visit({ fragment: '1/control-loop/6?limiter=exponential:1ms:1ms&chance=1000&beside-workers=2' }, async (page) => {
    const said = await page.locator('.verdict').innerText();
    assert.match(said, /^What goes on and on was left after 50000 facts: \d+ reconciles in [\d.]+m?s above, \d+ in [\d.]+m?s below\.$/);
  }));

test('an object that is followed is followed into another run, or let go where that does not have it', () =>
  site.visit({ fragment: '1/configmap/2?do=1s.10:new:zeta:d:a:b&at=1.5s.60' }, async (page) => {
    const followed = page.locator('.followed');
    await page.locator('.log li button').filter({ hasText: 'zeta' }).last().click();
    await button(page, 'Everything about this key').click();
    assert.match(await followed.innerText(), /everything about default\/zeta: \d+ facts/);
    // Two other objects are known there, and this one is not.
    await tab(page, 3).click();
    await until(page, () => /Scene 3 /.test(document.querySelector('.kicker').innerText));
    assert.equal(await followed.count(), 0);
    await next(page, 2);
    await page.locator('.log li button').filter({ hasText: 'default/hello' }).last().click();
    await button(page, 'Everything about this key').click();
    await tab(page, 2).click();
    await until(page, () => /Scene 2 /.test(document.querySelector('.kicker').innerText));
    assert.match(await followed.innerText(), /everything about default\/hello: \d+ facts/);
  }));
