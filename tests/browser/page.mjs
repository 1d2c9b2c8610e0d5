// One browser and one server for a test file; a fresh page for each visit, which fails on anything the browser complains of.

import assert from 'node:assert/strict';
import { accessSync, constants } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { serve } from './server.mjs';

export const SHOTS = fileURLToPath(new URL('./shots', import.meta.url));
export const SIZES = ['1280x800', '1440x900', '390x844'];
export const THEMES = ['light', 'dark'];
export const READY_TIMEOUT = 30_000;

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

/** Opens a browser, and a server for the built page unless `url` says where the page is. */
export async function openSite({ url, dist } = {}) {
  const server = url ? { url, close: async () => {} } : await serve({ dist });
  const browser = await chromium.launch({ executablePath: findChromium(), args: FLAGS }).catch(async (error) => {
    await server.close();
    throw error;
  });
  const site = {
    url: server.url,
    browser,

    /**
     * Calls `body(page)` with the page ready to be used, and fails if the browser reported a problem meanwhile.
     * `query` and `fragment` are the parts of the address after `?` and `#`; `context` is passed to Playwright's
     * `newContext`; `prepare(page)` is called before the page is opened.
     */
    async visit({ size = SIZES[0], theme = 'light', query = '', fragment = '', ready = 'true', context: more = {}, prepare = async () => {} }, body) {
      const context = await browser.newContext({ ...viewport(size), colorScheme: theme, serviceWorkers: 'block', ...more });
      const page = await context.newPage();
      const problems = watch(page);
      try {
        await prepare(page);
        await page.goto(server.url + (query && `?${query}`) + (fragment && `#${fragment.replace(/^#/, '')}`));
        await page.waitForSelector(`html[data-ready="${ready}"]`, { state: 'attached', timeout: READY_TIMEOUT });
        await page.evaluate(() => document.fonts.ready.then(() => {}));
        await body(page, problems);
      } catch (error) {
        // What went wrong first is most often what the browser said.
        if (problems.length) error.message += `\nthe browser reported:\n${problems.join('\n')}`;
        await shoot(page, `failed-${Date.now()}`).then((file) => (error.message += `\npicture: ${file}`), () => {});
        throw error;
      } finally {
        await context.close();
      }
      assert.deepEqual(problems, [], 'the browser reported problems');
    },

    /** Takes `NAME-SIZE-THEME.png` for each size and theme, after `body(page)` has brought the page where it should be. */
    async shots(name, { fragment, sizes = SIZES, themes = THEMES, context } = {}, body = async () => {}) {
      for (const size of sizes) {
        for (const theme of themes) {
          await site.visit({ size, theme, fragment, context }, async (page) => {
            await body(page);
            await shoot(page, `${name}-${size}-${theme}`);
          });
        }
      }
    },

    async close() {
      await browser.close();
      await server.close();
    },
  };
  return site;
}

/** Saves a picture of what is in view (or of the whole page) and resolves to its path. */
export async function shoot(page, name, { dir = SHOTS, fullPage = false } = {}) {
  await mkdir(dir, { recursive: true });
  const path = join(dir, `${name.replace(/[^\w.-]+/g, '-')}.png`);
  await page.screenshot({ path, fullPage });
  return path;
}

/** Collects, as lines of text, everything the browser complains of. */
function watch(page) {
  const problems = [];
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => problems.push(`page error: ${error.message}`));
  page.on('crash', () => problems.push('the page crashed'));
  page.on('requestfailed', (request) => problems.push(`request failed: ${request.url()} (${request.failure()?.errorText})`));
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.status()}: ${response.url()}`);
  });
  return problems;
}

/** '390x844' as Playwright's options; what is as narrow as a phone behaves like one. */
function viewport(size) {
  const [width, height] = size.split('x').map(Number);
  assert.ok(width > 0 && height > 0, `a size looks like 1280x800, not ${size}`);
  const phone = width < 600;
  return { viewport: { width, height }, isMobile: phone, hasTouch: phone };
}

/** $CHROMIUM (script/test sets it), or the first known name on PATH. */
function findChromium() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  for (const name of ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']) {
    for (const dir of (process.env.PATH ?? '').split(delimiter)) {
      try {
        accessSync(join(dir, name), constants.X_OK);
        return join(dir, name);
      } catch {
        // not here
      }
    }
  }
  throw new Error('no Chromium: run script/bootstrap --tests, or set CHROMIUM');
}
