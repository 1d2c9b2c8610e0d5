// The Content-Security-Policy of a release, and what hostile addresses can do under it and without it: nothing.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openSite } from './page.mjs';

const site = await openSite();
after(() => site.close());

const next = (page) => page.getByRole('button', { name: 'Next step', exact: true });

test('the policy allows no inline script, no style attribute and no other origin', () =>
  site.visit({}, async (page) => {
    const policy = await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content');
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /script-src 'self' 'wasm-unsafe-eval'(;|$)/);
    assert.doesNotMatch(policy, /unsafe-inline|'unsafe-eval'|\*|https?:/);
    assert.equal(await page.locator('script:not([src])').count(), 0);
    assert.ok(await page.locator('script[src][integrity], link[rel=modulepreload][integrity]').count() >= 2);
    // It is in force.
    const ran = await page.evaluate(() => {
      const script = document.createElement('script');
      try {
        script.textContent = 'window.ran = true';
        document.body.append(script);
      } catch {
        // Trusted Types refuse it even earlier.
      }
      return window.ran === true;
    });
    assert.equal(ran, false);
  }).catch((error) => {
    // The attempt itself is reported, and nothing else.
    if (!/the browser reported problems/.test(error.message)) throw error;
    assert.ok(error.actual.every((line) => /Content Security Policy|TrustedScript/.test(line)), error.actual.join('\n'));
  }));

test('a walk through all of the page violates nothing and asks no other origin', () => {
  const foreign = [];
  return site.visit({
    prepare: async (page) => {
      await page.addInitScript(() => {
        window.violations = [];
        addEventListener('securitypolicyviolation', (event) => window.violations.push(`${event.violatedDirective} ${event.blockedURI}`));
      });
      page.on('request', (request) => {
        if (!request.url().startsWith(site.url) && !/^(blob|data):/.test(request.url())) foreign.push(request.url());
      });
    },
  }, async (page) => {
    await page.getByLabel('Speed', { exact: true }).selectOption('10');
    for (let scene = 1; scene <= 6; scene += 1) {
      await page.locator(`#tab-${scene}`).click();
      await next(page).click();
      await next(page).click();
    }
    for (const tab of ['Console', 'Metrics', 'Code', 'What if', 'Objects', 'Log']) await page.getByRole('tab', { name: tab, exact: true }).click();
    for (const name of ['Share', 'Keys']) {
      await page.getByRole('button', { name, exact: true }).click();
      await page.keyboard.press('Escape');
    }
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await page.waitForTimeout(1500);
    assert.deepEqual(await page.evaluate(() => window.violations), []);
    assert.deepEqual(foreign, []);
    // The painter writes styles through the object model; no element comes with one in its markup.
    const page_text = await (await fetch(site.url)).text();
    assert.doesNotMatch(page_text.replace(/<!--.*?-->/gs, ''), /<[^>]+\sstyle=/);
  });
});

const BAIT = '<img src=x onerror=window.bitten=1><script>window.bitten=1</script><svg onload=window.bitten=1>';
for (const fragment of [
  BAIT,
  `1/control-loop/4?${BAIT}`,
  `1/control-loop/4?do=5s:scale:${BAIT}:3`,
  `1/control-loop/4?seed=${encodeURIComponent(BAIT)}`,
  `1/${encodeURIComponent(encodeURIComponent(BAIT))}/1`,
  `1/control-loop/1?at=${'9'.repeat(5000)}`,
  `javascript:alert(1)`,
  `1/control-loop/4?queue=channel&queue=${'%00%ff%fe'.repeat(50)}`,
]) {
  test(`a hostile link is told in words and put nowhere as HTML: ${fragment.slice(0, 40)}`, () =>
    site.visit({ fragment, query: `embed=${encodeURIComponent(BAIT)}&scene=${encodeURIComponent(BAIT)}` }, async (page) => {
      const found = await page.evaluate(() => ({
        bitten: window.bitten,
        made: document.querySelectorAll('img, body script, [onerror], [onload]').length,
        hrefs: [...document.links].filter((link) => !/^https?:/.test(link.href)).length,
      }));
      assert.deepEqual(found, { bitten: undefined, made: 0, hrefs: 0 });
      assert.match(await page.locator('body').innerText(), /cannot be opened/);
    }));
}
