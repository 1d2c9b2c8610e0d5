// The page without a network, and a new release over an old one.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, test } from 'node:test';
import { openSite } from './page.mjs';
import { DIST } from './server.mjs';

const FINISH = fileURLToPath(new URL('../../script/finish.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'loopscope-'));
const dist = join(folder, 'dist');
cpSync(DIST, dist, { recursive: true });

const site = await openSite({ dist });
after(async () => {
  await site.close();
  rmSync(folder, { recursive: true });
});

const ready = (page) => page.waitForSelector('html[data-ready="true"]', { state: 'attached', timeout: 60_000 });
const kept = (page) => page.evaluate(async () => {
  await navigator.serviceWorker.ready;
  return (await caches.keys()).filter((name) => name.startsWith('loopscope-')).sort();
});
const release = (page) => page.locator('meta[name="release"]').getAttribute('content');
const color = (page) => page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--release'));

/** Publishes a new release in place of the old one: another stylesheet under another name, and the old files gone. */
function publish(number) {
  const next = join(folder, `next-${number}`);
  cpSync(DIST, next, { recursive: true });
  const [sheet] = readdirSync(next).filter((name) => /^page-.*\.css$/.test(name));
  const renamed = `page-release${number}.css`;
  writeFileSync(join(next, renamed), `${readFileSync(join(next, sheet), 'utf8')}\n:root { --release: ${number}; }\n`);
  rmSync(join(next, sheet));
  const index = readFileSync(join(next, 'index.html'), 'utf8');
  writeFileSync(join(next, 'index.html'), index.replace(new RegExp(`href="./${sheet}" integrity="[^"]*"`), `href="./${renamed}"`));
  execFileSync(process.execPath, [FINISH, next]);
  rmSync(dist, { recursive: true });
  renameSync(next, dist);
}

test('the second visit needs no network', () =>
  site.visit({ context: { serviceWorkers: 'allow' } }, async (page, problems) => {
    assert.equal((await kept(page)).length, 1);
    await page.context().setOffline(true);
    const again = await page.context().newPage();
    await again.goto(site.url);
    await ready(again);
    await again.getByRole('button', { name: 'Next step', exact: true }).click();
    await again.goto(`${site.url}?scene=4`);
    await ready(again);
    assert.match(await again.locator('.kicker').innerText(), /^Scene 4/);
    problems.length = 0; // the worker's own look for a new release fails without a network
  }));

test('a new release is taken over whole, at the visit after it was found', () =>
  site.visit({ context: { serviceWorkers: 'allow' } }, async (page) => {
    const old = await release(page);
    assert.deepEqual(await kept(page), [`loopscope-${old}`]);
    publish(2);
    // An open page of the old release is left alone, and the new one is found.
    await page.evaluate(async () => {
      const registration = await (await navigator.serviceWorker.ready).update();
      const found = registration.installing ?? registration.waiting ?? registration.active;
      while (found.state !== 'activated') await new Promise((done) => found.addEventListener('statechange', done, { once: true }));
    });
    assert.equal((await kept(page)).length, 2);
    assert.equal(await release(page), old);
    assert.equal((await color(page)).trim(), '');
    await page.getByRole('button', { name: 'Next step', exact: true }).click();
    // The old page's files are still to be had, though the server has none of them.
    const sheet = await page.locator('link[rel=stylesheet][href*="page-"]').getAttribute('href');
    assert.equal(await page.evaluate(async (href) => (await (await fetch(href)).text()).length > 0, sheet), true);
    // The next visit has all of the new release, also without a network.
    await page.context().setOffline(true);
    await page.reload();
    await ready(page);
    assert.notEqual(await release(page), old);
    assert.equal((await color(page)).trim(), '2');
    await page.context().setOffline(false);
  }));

test('a release that is not whole is not taken', () =>
  site.visit({ context: { serviceWorkers: 'allow' } }, async (page, problems) => {
    const old = await release(page);
    await kept(page);
    publish(3);
    // A file of another release under this one's name, as in the middle of a deployment.
    writeFileSync(join(dist, 'icon-192.png'), 'not the file');
    await page.evaluate(async () => (await navigator.serviceWorker.ready).update().catch(() => {}));
    await page.waitForTimeout(1500);
    assert.deepEqual(await kept(page), [`loopscope-${old}`]);
    await page.reload();
    await ready(page);
    assert.equal(await release(page), old);
    problems.length = 0; // the file that was refused is reported
  }));
