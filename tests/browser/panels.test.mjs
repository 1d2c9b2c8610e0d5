// The dock's panels: metrics, code in step with breakpoints, what if, objects.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openSite } from './page.mjs';

const site = await openSite();
after(() => site.close());

const tab = (page, name) => page.getByRole('tab', { name, exact: true }).click();
const button = (page, name) => page.getByRole('button', { name, exact: true });
const row = async (page, name) => (await page.locator(`[data-row=${name}] td`).allInnerTexts()).map((text) => text.trim());

test('what if: observing in 20 ms makes 19 of 12 reconciles, and a second press takes it back', () =>
  site.visit({}, async (page) => {
    await tab(page, 'What if');
    assert.deepEqual(await row(page, 'reconciles'), ['12']);
    await button(page, 'Observing takes 20 ms').click();
    assert.deepEqual(await row(page, 'reconciles'), ['12', '19', '+7']);
    assert.deepEqual(await row(page, 'merged'), ['7', '0', '−7']);
    await button(page, 'Observing takes 20 ms').click();
    assert.deepEqual(await row(page, 'reconciles'), ['19', '12', '−7']);
  }));

test('what if: a number out of bounds is refused in words, and the old one stays', () =>
  site.visit({}, async (page) => {
    await tab(page, 'What if');
    const workers = page.getByLabel('Workers', { exact: true });
    await workers.fill('99');
    await workers.press('Enter');
    assert.match(await page.getByRole('alert').innerText(), /from 1 to 8 workers/);
    assert.equal(await workers.inputValue(), '1');
    await workers.fill('4');
    await workers.press('Enter');
    await button(page, 'Reset knobs').click();
    assert.equal(await workers.inputValue(), '1');
  }));

test('code: a breakpoint, set by keyboard, stops playing where its section begins', () =>
  site.visit({}, async (page) => {
    await tab(page, 'Code');
    const stop = button(page, 'Stop at: observe actual state');
    await stop.focus();
    await page.keyboard.press('Enter');
    assert.equal(await stop.getAttribute('aria-pressed'), 'true');
    await page.getByLabel('Speed', { exact: true }).selectOption('10');
    await button(page, 'Play').click();
    await page.getByText('Stopped at: observe actual state').waitFor();
    const current = page.locator('.listing [aria-current]');
    assert.match(await current.innerText(), /Observe\(ctx, req\.NamespacedName\)/);
    assert.match(await page.getByTestId('code').innerText(), /desired: 3 replicas, version 15\.4/);
    assert.equal(await page.getByTestId('reconcile-count').innerText(), '1');
  }));

test('code: the language that was chosen is there on the next visit', () =>
  site.visit({}, async (page) => {
    await tab(page, 'Code');
    await button(page, 'Rust').click();
    await page.reload();
    await page.waitForSelector('html[data-ready="true"]', { state: 'attached' });
    await tab(page, 'Code');
    assert.equal(await button(page, 'Rust').getAttribute('aria-pressed'), 'true');
    assert.match(await page.getByTestId('code').innerText(), /Action::await_change\(\)/);
  }));

test('metrics: live under their names, and none for a plain channel', () =>
  site.visit({}, async (page) => {
    await tab(page, 'Metrics');
    const value = (name) => page.locator(`[data-metric=workqueue_${name}]`).innerText();
    assert.equal(await value('adds_total'), '0');
    await page.getByLabel('Speed', { exact: true }).selectOption('10');
    await button(page, 'Play').click();
    await page.waitForFunction(() => document.querySelector('[data-metric=workqueue_retries_total]').textContent === '4');
    assert.match(await value('work_duration_seconds'), / in .* mean /);
    await button(page, 'Plain channel').click();
    assert.match(await page.getByTestId('metrics').innerText(), /a Go channel has no metrics/i);
  }));

test('every control of the panels is a touch target of 44 px on a phone', () =>
  site.visit({ size: '390x844' }, async (page) => {
    for (const name of ['Code', 'What if']) {
      await tab(page, name);
      const small = await page.locator('#dock-panel').locator('button, input, select').evaluateAll((controls) =>
        controls
          .map((control) => ({ name: control.ariaLabel ?? control.id ?? control.innerText, box: control.getBoundingClientRect() }))
          .filter(({ box }) => box.width < 44 || box.height < 44)
          .map(({ name, box }) => `${name}: ${box.width}×${box.height}`),
      );
      assert.deepEqual(small, [], name);
    }
  }));
