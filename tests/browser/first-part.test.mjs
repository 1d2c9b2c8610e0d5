// A release is in two parts: the first scene is played before the second has come, and without it.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { playFirstScene } from './first-part.mjs';
import { button, read, tab } from './hands.mjs';
import { openSite } from './page.mjs';

const REST = '**/loopscope-rest-*.wasm';
const site = await openSite();
after(() => site.close());

/** A visit on which the rest is held back until `release` is called; `asked` counts who asked for it. */
async function held(visit, body) {
  let release;
  const gate = new Promise((done) => (release = done));
  const asked = [];
  await site.visit({
    ready: 'first',
    ...visit,
    prepare: (page) => page.route(REST, async (route) => {
      asked.push(route.request().resourceType());
      await gate;
      await route.continue();
    }),
  }, (page) => body(page, { release, asked }));
}

for (const size of ['1280x800', '390x844']) {
  test(`at ${size} the first scene plays to its end while the rest is on its way, and asks for none of it`, () =>
    held({ size }, async (page, { release, asked }) => {
      await playFirstScene(page);
      // A function that the first part lacks would be waited for on the spot: script/first-part finds out anew what it needs.
      assert.deepEqual(asked, ['fetch'], 'something that the first scene does is not in the first part: run script/first-part');
      assert.match(await page.locator('#soon').innerText(), /on their way/);
      release();
      await page.waitForSelector('html[data-ready="true"]', { state: 'attached' });
      assert.equal(await page.locator('#soon').count(), 0);
      assert.equal((await read(page)).scene, 1, 'the rest joins the run that is under way');
      assert.deepEqual(asked, ['fetch'], 'the rest is loaded once');
    }));
}

test('a control that needs the rest is pressed as soon as that has come', () =>
  held({}, async (page, { release, asked }) => {
    await tab(page, 3).click();
    await page.getByText('One moment').waitFor();
    assert.equal(await page.locator('.kicker').innerText(), 'Scene 1 of 6 · step 1 of 9');
    assert.deepEqual(asked, ['fetch'], 'nothing waits on the spot');
    release();
    await page.getByText('Scene 3 of 6').waitFor();
  }));

test('a key that is pressed before the rest is there does what it does when that has come', () =>
  held({}, async (page, { release }) => {
    await page.keyboard.press('4');
    await button(page, 'Next step').click();
    await page.getByText('Scene 1 of 6 · step 2 of').waitFor();
    release();
    await page.getByText('Scene 4 of 6').waitFor();
  }));

test('a scene of the text is chosen while the program is on its way', () =>
  site.visit({
    prepare: (page) => page.route(/loopscope-[0-9a-f]+\.wasm/, async (route) => {
      for (const scene of [2, 4]) await page.evaluate((scene) => (location.hash = `#scene-${scene}`), scene);
      await route.continue();
    }),
  }, async (page) => {
    assert.equal((await read(page)).scene, 4);
    assert.equal(await page.locator('.notice').count(), 0);
    await page.goBack();
    await page.getByText('Scene 2 of 6').waitFor();
  }));

test('what the first part does not have is waited for on the spot', () =>
  held({}, async (page, { release, asked }) => {
    await page.evaluate(() => setTimeout(() => (location.hash = '#1/control-loop/3')));
    while (!asked.includes('xhr')) await new Promise((done) => setTimeout(done, 20));
    release();
    await page.waitForSelector('html[data-ready="true"]', { state: 'attached' });
    assert.equal((await read(page)).scene, 3);
  }));

test('a link has the whole program before it starts, and waits for nothing on the spot', async () => {
  const asked = [];
  const prepare = (page) => page.on('request', (request) => /loopscope-rest/.test(request.url()) && asked.push(request.resourceType()));
  await site.visit({ fragment: '1/configmap/2', prepare }, async (page) => {
    assert.equal((await read(page)).scene, 2);
    assert.deepEqual(asked, ['fetch']);
  });
});

const without = { ready: 'first', prepare: (page) => page.route(REST, (route) => route.abort()) };

test('where the rest cannot be had, the first scene plays on, and a press tries again', () =>
  site.visit(without, async (page, problems) => {
    await page.getByText('could not be loaded').waitFor();
    await tab(page, 3).click();
    await page.getByText('could not be loaded').waitFor();
    await button(page, 'Next step').click();
    await page.getByText('Scene 1 of 6 · step 2 of').waitFor();
    await page.unroute(REST);
    await tab(page, 4).click();
    await page.getByText('Scene 4 of 6').waitFor();
    problems.length = 0; // the browser reports the request that failed
  }));

test('where something needs the rest on the spot and cannot have it, the page says so', () =>
  site.visit(without, async (page, problems) => {
    await page.getByText('could not be loaded').waitFor();
    await page.evaluate(() => setTimeout(() => (location.hash = '#1/control-loop/3')));
    await page.getByRole('dialog').getByText('A part of the page could not be loaded').waitFor();
    problems.length = 0;
  }));
