// Two runs, one above the other, while they are played.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { button } from './hands.mjs';
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
