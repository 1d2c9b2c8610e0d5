// Before WebAssembly and without it: the page reads, and the application takes over without a jump.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { SIZES, openSite } from './page.mjs';

const site = await openSite();
after(() => site.close());

/** Calls `body(page)` with the page as it is without its WebAssembly. */
async function without({ size = '1280x800', ...context }, block, body) {
  const [width, height] = size.split('x').map(Number);
  const made = await site.browser.newContext({ viewport: { width, height }, serviceWorkers: 'block', ...context });
  try {
    const page = await made.newPage();
    if (block) await page.route('**/*.wasm', block);
    await page.goto(site.url);
    await body(page);
  } finally {
    await made.close();
  }
}

const boxes = (page) => page.evaluate(() => Object.fromEntries(
  ['.top', '.logo', '.tale', '.tale h1', '.cmd', '.beats .now', '.nav', '.lanes', '.lane.store', '.lane.queue', '.lane.recon', '.lane.actual',
    '.lane.recon footer', '.scenes', '.scenes > :nth-child(4)'].map((selector) => {
    const { x, y, width, height } = document.querySelector(selector).getBoundingClientRect();
    return [selector, [x, y, width, height].map(Math.round)];
  }),
));
const words = (page) => page.locator('.lane').evaluateAll((lanes) => lanes.map((lane) => lane.innerText.replace(/\s+/g, ' ').trim()));

for (const size of [...SIZES, '900x1000']) {
  test(`the application takes over without a jump at ${size}`, async () => {
    let release;
    const held = new Promise((done) => (release = done));
    await without({ size }, async (route) => {
      await held;
      await route.continue();
    }, async (page) => {
      await page.getByText('Loading…').waitFor();
      const [before, said] = [await boxes(page), await words(page)];
      await page.evaluate(() => {
        window.shifted = 0;
        new PerformanceObserver((list) => list.getEntries().forEach((entry) => (window.shifted += entry.value))).observe({ type: 'layout-shift', buffered: true });
      });
      release();
      await page.waitForSelector('html[data-ready="true"]', { state: 'attached', timeout: 60_000 });
      await page.waitForTimeout(300);
      assert.deepEqual(await words(page), said);
      const now = await boxes(page);
      for (const [selector, box] of Object.entries(before)) {
        const off = Math.max(...box.map((number, side) => Math.abs(number - now[selector][side])));
        assert.ok(off <= 1, `${selector} was at ${box} and is at ${now[selector]}`);
      }
      assert.ok(await page.evaluate(() => window.shifted) < 0.01);
    });
  });
}

test('without JavaScript the six scenes are there as text, and chapter two in short', () =>
  without({ javaScriptEnabled: false }, undefined, async (page) => {
    assert.equal(await page.locator('.words section').count(), 7);
    assert.equal(await page.locator('#chapter-2 li').count(), 9);
    await page.getByRole('link', { name: 'ConfigMap controller' }).click();
    assert.ok(await page.locator('#chapter-2').evaluate((there) => there.getBoundingClientRect().top < innerHeight), 'the link leads to the text');
    assert.match(await page.locator('.words').innerText(), /Work is per key, not per event/);
    assert.match(await page.locator('.cannot').first().innerText().catch(() => ''), /^$|text/);
    assert.ok(await page.locator('.lane').nth(4).isVisible());
    assert.equal(await page.locator('#loading').isVisible(), false);
    assert.ok(await page.locator('.words').evaluate((words) => words.clientHeight === words.scrollHeight).catch(() => true));
  }));

test('a browser that cannot run it says so in a sentence', () =>
  without({}, (route) => route.fulfill({ status: 200, contentType: 'application/wasm', body: 'no module' }), async (page) => {
    await page.locator('#cannot').waitFor();
    assert.match(await page.locator('#cannot').innerText(), /^The page cannot play here: it needs a browser/);
    assert.equal(await page.locator('#loading').isVisible(), false);
  }));

test('an old browser without WebAssembly has the text version', async () => {
  const made = await site.browser.newContext({ serviceWorkers: 'block' });
  const page = await made.newPage();
  await page.addInitScript(() => delete window.WebAssembly);
  await page.goto(site.url);
  await page.locator('#cannot').waitFor();
  assert.match(await page.locator('#cannot').innerText(), /no WebAssembly/);
  await made.close();
});

test('a scene chosen in the text is the scene that the application begins with', () =>
  site.visit({ fragment: 'scene-4' }, async (page) => {
    assert.match(await page.locator('.kicker').innerText(), /^Scene 4 of 6/);
  }));
