// The six scenes, walked with *Next step* to their end, with both queues.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { BASE } from './server.mjs';
import { openSite } from './page.mjs';
import { button, fast, isOff, log, next, read, still, tab, toScene } from './hands.mjs';

const site = await openSite();
after(() => site.close());

test('the page starts paused on the first beat, with nothing done yet', () =>
  site.visit({}, async (page) => {
    assert.equal(new URL(page.url()).pathname, BASE);
    const seen = await read(page);
    assert.deepEqual([seen.scene, seen.playing, seen.pace], [1, false, 'paused']);
    assert.match(seen.place, /^Scene 1 of 6 · step 1 of \d+$/);
    assert.deepEqual([seen.revision, seen.events, seen.reconciles], [0, 0, 0]);
    assert.ok(await isOff(button(page, 'Back')), 'there is nothing to go back to');
  }));

// Reconciles and merged events when each scene has begun, and at last at the end.
const RUNS = [
  { queue: 'client-go queue', reconciles: [0, 2, 4, 6, 9, 11, 12], merged: 7 },
  { queue: 'Plain channel', reconciles: [0, 2, 4, 6, 16, 18, 19], merged: 0 },
];
const REVISIONS = [0, 1, 2, 3, 13, 14, 15];

for (const { queue, reconciles, merged } of RUNS) {
  test(`with the ${queue}, Next step walks all six scenes to ${reconciles[6]} reconciles and 15 revisions`, () =>
    site.visit({}, async (page) => {
      await button(page, queue).click();
      assert.equal(await button(page, queue).getAttribute('aria-pressed'), 'true');
      await page.getByTestId('log').getByText('[controller]').first().waitFor();

      const go = button(page, 'Next step');
      const begun = [];
      const captions = [(await read(page)).caption];
      let retried = 0;
      let scene = 0;
      for (let click = 0; click < 100; click += 1) {
        const seen = await read(page);
        if (seen.scene !== scene) {
          assert.equal(seen.scene, scene + 1, 'the scenes come in their order');
          scene = seen.scene;
          begun.push([seen.reconciles, seen.revision]);
        }
        retried = Math.max(retried, seen.retries);
        if (await isOff(go)) break;
        // Faster than it plays: this click finishes the step before.
        await go.click();
        const { caption } = await read(page);
        assert.notEqual(caption, captions.at(-1), 'each step is told in words of its own');
        captions.push(caption);
      }
      await still(page);

      const end = await read(page);
      begun.push([end.reconciles, end.revision]);
      assert.deepEqual(begun, reconciles.map((count, scene) => [count, REVISIONS[scene]]));
      assert.deepEqual([end.merged, end.retries, end.ready], [merged, 0, 0]);
      assert.equal(end.pace, 'at rest');
      assert.ok(retried >= 1, 'the variant of scene 3 shows a retry');
      assert.equal(await page.getByText('This did not happen in your run.').count(), 0);
      assert.match(await go.getAttribute('title'), /last step/);
    }));
}

test('a step plays until its fact, and the captions are read one after the other', () =>
  site.visit({}, async (page) => {
    await fast(page);
    const steps = Number((await read(page)).place.split(' of ').at(-1));
    let before = await read(page);
    for (let step = 2; step <= steps; step += 1) {
      await next(page);
      const seen = await read(page);
      assert.equal(seen.place, `Scene 1 of 6 · step ${step} of ${steps}`);
      assert.ok(seen.clock >= before.clock, 'time goes forward');
      assert.notEqual(seen.caption, before.caption);
      before = seen;
    }
    assert.equal(await page.locator('.beats .past').count(), steps - 1, 'what was told stays');
    assert.deepEqual([before.revision, before.reconciles], [1, 2]);
    assert.equal(await page.getByTestId('lane-actual').locator('.pod:not(.ghost)').count(), 3);
  }));

test('the variant of scene 3 shows an error that becomes a retry, and scene 4 goes on from the clean run', () =>
  site.visit({}, async (page) => {
    await toScene(page, 3);
    const go = button(page, 'Next step');
    while (!(await page.locator('.variant').count())) await go.click();
    assert.match(await page.locator('.variant').innerText(), /first attempt fails/);
    while ((await read(page)).scene === 3) {
      const { place, retries } = await read(page);
      const [step, steps] = place.match(/step (\d+) of (\d+)/).slice(1).map(Number);
      if (step === steps) {
        await still(page);
        const lines = await log(page);
        assert.ok(lines.some((line) => line.includes('ERROR')), 'the log tells of the error');
        assert.equal((await read(page)).retries, 1, `${retries} retries at the end of the variant`);
      }
      await go.click();
    }
    await still(page);
    const seen = await read(page);
    assert.deepEqual([seen.scene, seen.retries, seen.revision, seen.reconciles], [4, 0, 3, 6]);
    assert.equal(await page.locator('.variant').count(), 0);
  }));

test('Back goes back, through the same captions, to the beginning', () =>
  site.visit({}, async (page) => {
    await toScene(page, 2);
    const captions = [];
    for (let step = 0; step < 4; step += 1) {
      captions.push(await read(page).then(({ caption, clock }) => [caption, clock]));
      await next(page);
    }
    while (captions.length) {
      await button(page, 'Back').click();
      const { caption, clock } = await read(page);
      assert.deepEqual([caption, clock], captions.pop());
    }
    await button(page, 'Back').click();
    const seen = await read(page);
    assert.equal(seen.scene, 1, 'before scene 2 comes scene 1');
    assert.match(seen.place, /step (\d+) of \1$/, 'its last step');
    await page.locator('.beats .past button').first().click();
    assert.match((await read(page)).place, /step 1 of/, 'a click on what was told goes back to it');
  }));

test('each scene tab opens its scene at its first step, with the earlier scenes played', () =>
  site.visit({}, async (page) => {
    for (const scene of [4, 6, 1, 3, 5, 2]) {
      await toScene(page, scene);
      const seen = await read(page);
      assert.match(seen.place, new RegExp(`^Scene ${scene} of 6 · step 1 of`));
      assert.deepEqual([seen.revision, seen.reconciles, seen.playing], [REVISIONS[scene - 1], RUNS[0].reconciles[scene - 1], false]);
      assert.equal(await page.locator('[role=tab][id^=tab-][aria-selected=true]').count(), 1);
      assert.notEqual(await page.locator('.cmd code').innerText(), '');
    }
    await tab(page, 2).focus();
    await page.keyboard.press('ArrowRight');
    assert.equal((await read(page)).scene, 3, 'arrows walk the tabs');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'tab-3');
    await page.keyboard.press('End');
    assert.equal((await read(page)).scene, 6);
  }));
