// The built page opens under a sub-path, in every size and theme, and the browser has nothing to complain of.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { BASE } from './server.mjs';
import { SIZES, THEMES, openSite } from './page.mjs';

const site = await openSite();
after(() => site.close());

test('the page opens under a sub-path', () =>
  site.visit({}, async (page) => {
    assert.equal(new URL(page.url()).pathname, BASE);
    assert.match(await page.title(), /Loopscope/);
    assert.notEqual((await page.locator('body').innerText()).trim(), '');
  }));

for (const size of SIZES) {
  for (const theme of THEMES) {
    test(`the page opens at ${size}, ${theme}, without scrolling sideways`, () =>
      site.shots('smoke', { sizes: [size], themes: [theme] }, async (page) => {
        const { content, view } = await page.evaluate(() => ({
          content: document.documentElement.scrollWidth,
          view: document.documentElement.clientWidth,
        }));
        assert.ok(content <= view, `the page is ${content} wide in a view of ${view}`);
        // On a desk all of it is in sight.
        const [high, sight] = await page.evaluate(() => [document.documentElement.scrollHeight, innerHeight]);
        assert.ok(high <= sight || view < 1000, `the page is ${high} high in a view of ${sight}`);
      }));
  }
}
