// Inside another page: stage, caption and controls, nothing else; and at rest while it is out of sight.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { after, test } from 'node:test';
import { openSite } from './page.mjs';

const site = await openSite();
after(() => site.close());

const EXAMPLE = fileURLToPath(new URL('../../docs/embed.html', import.meta.url));
/** Where the timeline's cursor stands: it is written in every frame that passes. */
const clock = (frame) => frame.locator('.cursor').evaluate((cursor) => cursor.style.transform);

for (const size of ['720x560', '390x844']) {
  test(`?embed shows only stage, caption and controls at ${size}`, () =>
    site.visit({ size, query: 'embed&scene=4' }, async (page) => {
      for (const shown of ['.lanes', '[data-testid=caption]', '.play', '.nav .go', '.clock', '.whole']) {
        assert.ok(await page.locator(shown).first().isVisible(), shown);
      }
      for (const hidden of ['.top', '.acts', '.dock', '.cmd']) assert.equal(await page.locator(hidden).isVisible(), false, hidden);
      assert.match(await page.locator('.tale h1').innerText(), /10 writes in 200 ms/);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(wide <= 0, 'it scrolls sideways');
      const link = await page.getByRole('link', { name: 'Open in Loopscope' }).getAttribute('href');
      assert.match(link, /\/loopscope\/#1\/control-loop\/4/);
    }));
}

test('the example page embeds two scenes, and neither moves while it is out of sight', async () => {
  // Another origin, as in an article.
  const article = readFileSync(EXAMPLE, 'utf8').replaceAll(/src="[^"?]*\?/g, `src="${site.url}?`);
  const server = createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(article));
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const context = await site.browser.newContext({ viewport: { width: 900, height: 700 }, serviceWorkers: 'block' });
  try {
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    const [first, second] = [0, 1].map((n) => page.frameLocator('iframe').nth(n));
    await first.locator('.play').click({ timeout: 60_000 });
    const started = await clock(first);
    await page.waitForTimeout(500);
    assert.notEqual(await clock(first), started);
    // Far below.
    await page.locator('iframe').nth(1).scrollIntoViewIfNeeded();
    await second.locator('.lanes').waitFor({ timeout: 60_000 });
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await page.waitForTimeout(500);
    const then = await clock(first);
    await page.waitForTimeout(500);
    assert.equal(await clock(first), then);
    await page.evaluate(() => scrollTo(0, 0));
    await page.waitForTimeout(800);
    assert.notEqual(await clock(first), then);
  } finally {
    await context.close();
    server.closeAllConnections();
    server.close();
  }
});
