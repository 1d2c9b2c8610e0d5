// Within everybody's reach: fingers, narrow and enlarged pages, forced colours, the stage in words.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openSite } from './page.mjs';

const site = await openSite();
after(() => site.close());

const next = (page) => page.getByRole('button', { name: 'Next step', exact: true });
const sideways = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Controls that are smaller than a fingertip, with what their ::after adds to where they can be touched. */
const small = (page) => page.evaluate(() => [...document.querySelectorAll('button, a[href], select, input, summary, [role=slider]')]
  .filter((control) => control.checkVisibility({ visibilityProperty: true, opacityProperty: false }) && !control.closest('[inert]'))
  .map((control) => {
    const box = control.getBoundingClientRect();
    const more = getComputedStyle(control, '::after');
    const side = (name) => (more.content !== 'none' && more.position === 'absolute' ? Math.max(0, -parseFloat(more[name]) || 0) : 0);
    return {
      name: `${control.className} ${control.ariaLabel ?? control.title ?? ''} ${control.textContent}`.slice(0, 60),
      width: box.width + side('left') + side('right'),
      height: box.height + side('top') + side('bottom'),
    };
  })
  .filter(({ width, height }) => width > 1 && (width < 43.5 || height < 43.5))
  .map(({ name, width, height }) => `${name}: ${width.toFixed(0)}×${height.toFixed(0)}`).slice(0, 12));

for (let scene = 1; scene <= 6; scene += 1) {
  test(`scene ${scene} on a phone: every control is a touch target of 44 px`, () =>
    site.visit({ size: '390x844', fragment: `1/control-loop/${scene}` }, async (page) => {
      assert.deepEqual(await small(page), []);
      for (let step = 0; step < 3; step += 1) {
        await next(page).click();
        await page.waitForTimeout(300);
      }
      assert.deepEqual(await small(page), []);
    }));
}

// Numbers of five digits, and what is said of a seed that is none.
for (const size of ['320x640', '360x640', '390x844']) {
  test(`at ${size} large counters and a wrong seed do not scroll sideways`, () =>
    site.visit({ size, fragment: '1/control-loop/3?limiter=exponential:1ms:1ms&chance=1000&upgrade=0ns&at=1000s.249999' }, async (page) => {
      const retries = await page.locator('.counts dd').last().innerText();
      assert.ok(Number(retries) > 9999, retries);
      assert.ok(await sideways(page) <= 0, 'counters');
      const seed = page.getByLabel('Seed', { exact: true });
      await seed.fill('x');
      await seed.press('Enter');
      await page.getByText('A seed is a whole number').waitFor();
      assert.ok(await sideways(page) <= 0, 'seed');
    }));
}

// 320 pixels, and 1280 × 800 at 200 %.
for (const [name, size, context] of [['320 px wide', '320x640', {}], ['at 200 %', '640x400', { deviceScaleFactor: 2, isMobile: false, hasTouch: false }]]) {
  test(`${name}: nothing is lost and nothing scrolls sideways`, () =>
    site.visit({ size, context }, async (page) => {
      for (let scene = 1; scene <= 6; scene += 1) {
        await page.locator(`#tab-${scene}`).click();
        await next(page).click();
        await page.waitForTimeout(200);
        assert.ok(await sideways(page) <= 0, `scene ${scene} scrolls sideways`);
        for (const part of ['[data-testid=caption]', '.lane.store', '.lane.queue', '.lane.recon', '.lane.actual', '.play', '.clock', '.dock']) {
          const { x, width } = await page.locator(part).boundingBox();
          assert.ok(width > 0 && x >= 0 && x + width <= Number(size.split('x')[0]), `${part} in scene ${scene}: ${x}, ${width}`);
        }
      }
      for (const name of ['Console', 'Metrics', 'Code', 'What if', 'Objects']) {
        await page.getByRole('tab', { name, exact: true }).click();
        assert.ok(await sideways(page) <= 0, `${name} scrolls sideways`);
      }
    }));
}

test('a control that goes away when it is pressed leaves the keyboard at Next step', () =>
  site.visit({}, async (page) => {
    const press = async (name) => {
      await page.getByRole('button', { name, exact: true }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name, exact: true }).waitFor({ state: 'detached' });
      assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Next step', name);
    };
    await page.getByTestId('log').getByRole('button').last().click();
    await press('Stop following');
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await press('End comparison');
    await page.getByRole('tab', { name: /Burst/ }).click();
    await press('Skip');
  }));

test('forced colours: what is current or pressed has a border or an outline to tell it by', () =>
  site.visit({ fragment: '1/control-loop/4', context: { forcedColors: 'active' } }, async (page) => {
    assert.ok(await page.evaluate(() => matchMedia('(forced-colors: active)').matches));
    const marked = (selector) => page.locator(selector).first().evaluate((element) => {
      const style = getComputedStyle(element);
      return Math.max(parseFloat(style.borderTopWidth), parseFloat(style.borderLeftWidth), style.outlineStyle === 'none' ? 0 : parseFloat(style.outlineWidth));
    });
    for (const selector of ['.scenes [aria-current]', '.seg [aria-pressed="true"]', '.beats .now', '.nav .go', '.play']) {
      assert.ok(await marked(selector) >= 2, selector);
    }
    await next(page).click();
    await page.waitForTimeout(400);
    assert.ok(await page.locator('.lane .swatch').first().isVisible());
  }));

test('the stage in words says what every lane holds, fact by fact', () =>
  site.visit({ fragment: '1/control-loop/1' }, async (page) => {
    const words = page.getByTestId('words').locator('tr');
    const lines = async () => Object.fromEntries((await words.allTextContents()).map((line) => [line.match(/^(Store|Watch|Work queue|Reconcile\(\)|Actual)/)[0], line]));
    assert.equal((await lines()).Store, 'Storeno objects');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    assert.match((await lines()).Store, /production-postgres: 3 replicas, version 15\.4, revision 1/);
    // It is there for readers who listen, and takes no room.
    assert.equal(await page.getByTestId('words').locator('table').count(), 1);
    const box = await page.getByTestId('words').boundingBox();
    assert.ok(box.width <= 1 && box.height <= 1);
  }));

test('the stage in words stands still while the run is played too fast to follow', () =>
  site.visit({ fragment: '1/control-loop/4' }, async (page) => {
    const words = () => page.getByTestId('words').textContent();
    await page.getByLabel('Speed', { exact: true }).selectOption('10');
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    const said = await words();
    await page.waitForTimeout(1500);
    assert.equal(await words(), said);
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await page.waitForTimeout(100);
    assert.notEqual(await words(), said);
  }));
