// The stage: tokens and where they are, text that is not cut off, and what is in sight at once.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { SIZES, openSite } from './page.mjs';
import { button, midBurst, read, seek, skip, toScene, until } from './hands.mjs';

const site = await openSite();
after(() => site.close());

const KEY = 'default/production-postgres';

/** Every token that is shown: what it is, and where. */
const tokens = (page) =>
  page.locator('.token').evaluateAll((found) =>
    found
      .map((token) => {
        const { x, y, width, height } = token.firstChild.getBoundingClientRect();
        return { kind: token.dataset.token, key: token.dataset.key, text: token.textContent, x, y, width, height, shown: token.firstChild.checkVisibility({ opacityProperty: true, visibilityProperty: true }) };
      })
      .filter((token) => token.shown),
  );

/** Calls `look(where)` at instants all over the scenes, also between two facts. */
async function everywhere(page, look, scenes) {
  for (const [scene, instants] of scenes) {
    await toScene(page, scene);
    for (let instant = 0; instant < instants; instant += 1) {
      await seek(page, (instant + 0.37) / instants);
      await look(`scene ${scene}, ${(await read(page)).clock} s`);
    }
  }
}

/** Calls `look(where)` at every beat of these scenes (not the last, which nothing follows). */
async function everyBeat(page, look, scenes) {
  for (const scene of scenes) {
    await toScene(page, scene);
    for (;;) {
      const seen = await read(page);
      if (seen.scene !== scene) break;
      await look(seen.place);
      await skip(page);
    }
  }
}

test('in the middle of the burst an event flies, under its key, and the worker’s key is marked dirty', () =>
  site.visit({}, async (page) => {
    await midBurst(page);
    const seen = await read(page);
    assert.deepEqual([seen.revision, seen.events, seen.merged, seen.reconciles, seen.ready], [12, 11, 5, 8, 0]);
    const flying = (await tokens(page)).filter((token) => token.kind === 'event');
    assert.deepEqual(flying.map(({ key, text }) => [key, text]), [[KEY, '12']]);
    const dirty = page.getByTestId('lane-reconcile').locator('.dirty.set');
    assert.match(await dirty.innerText(), /dirty/);
    await page.getByTestId('lane-watch').getByText('1 in flight').waitFor();
    assert.equal(await page.getByTestId('lane-reconcile').locator('[aria-current=step]').innerText(), 'actual := observe(key)');
  }));

test('a token moves while time flows, and stands while it does not', () =>
  site.visit({}, async (page) => {
    await page.getByLabel('Speed', { exact: true }).selectOption('0.1');
    await toScene(page, 1);
    await button(page, 'Play').click();
    await page.locator('.token[data-token=event]').waitFor({ state: 'attached' });
    const path = await page.evaluate(async () => {
      const seen = [];
      for (let frame = 0; frame < 400 && new Set(seen).size < 4; frame += 1) {
        const token = document.querySelector('.token[data-token=event]');
        if (token) seen.push(token.style.transform);
        await new Promise(requestAnimationFrame);
      }
      return [...new Set(seen)];
    });
    assert.ok(path.length >= 4, path.join(' '));
    await button(page, 'Pause').click();
    const there = await tokens(page);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    assert.deepEqual(await tokens(page), there);
  }));

/** Text in the stage that is cut off without saying so, or that leaves the box it belongs to. Runs in the page. */
function clipped() {
  const faults = [];
  const texts = document.createTreeWalker(document.querySelector('.lanes'), NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const parent = text.parentElement;
    const shown = parent.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    if (!text.data.trim() || !shown || parent.closest('.tokens, .visually-hidden')) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const box = range.getBoundingClientRect();
    const beyond = (of) => {
      const it = of.getBoundingClientRect();
      return { wide: Math.max(it.left - box.left, box.right - it.right), high: Math.max(it.top - box.top, box.bottom - it.bottom) };
    };
    const name = (it) => `${it.tagName.toLowerCase()}.${[...it.classList].join('.')}`;
    const owner = parent.closest('.slot, .object, .chip, .pod, .dirty, .delay, .shelf, .code li, td, th, footer, header, .group, .downtime, .lane');
    for (let it = parent; it; it = it === owner ? null : it.parentElement) {
      const style = getComputedStyle(it);
      const { wide, high } = beyond(it);
      if (style.overflowX !== 'visible' && wide > 1) {
        const told = style.textOverflow === 'ellipsis' && it.closest('[title]');
        if (!told) faults.push(`“${text.data}” is cut off by ${name(it)}: ${Math.round(wide)} px`);
        break;
      }
      // A line is higher than its letters.
      if (style.overflowY !== 'visible' && high > 4) faults.push(`“${text.data}” is cut off by ${name(it)}: ${Math.round(high)} px in height`);
      if (it === owner && (wide > 2 || high > 4)) faults.push(`“${text.data}” leaves ${name(it)} by ${Math.round(Math.max(wide, high))} px`);
    }
  }
  return faults;
}

for (const size of [...SIZES, '320x640']) {
  test(`at ${size}, wherever one looks, tokens stay inside the stage and no text is cut off without saying so`, () =>
    site.visit({ size }, async (page) => {
      const kinds = new Set();
      const faults = new Set();
      await everywhere(page, async (where) => {
        const stage = await page.locator('.lanes').boundingBox();
        for (const token of await tokens(page)) {
          kinds.add(token.kind);
          assert.match(token.key, /^default\/(production|staging)-postgres$/, where);
          const inside = token.x >= stage.x - 1 && token.y >= stage.y - 1 && token.x + token.width <= stage.x + stage.width + 1 && token.y + token.height <= stage.y + stage.height + 1;
          if (!inside) faults.add(`${where}: token ${JSON.stringify(token)} leaves the stage ${JSON.stringify(stage)}`);
        }
        for (const fault of await page.evaluate(clipped)) faults.add(`${where.split(',')[0]}: ${fault}`);
      }, [[1, 10], [3, 8], [4, 14], [5, 6], [6, 6]]);
      assert.deepEqual([...faults], []);
      assert.ok(kinds.has('event') && kinds.size >= 3, `seen: ${[...kinds].join(' ')}`);
    }));
}

for (const size of ['320x640', '390x844', '640x800', '1000x800', '1280x800']) {
  test(`at ${size} nothing scrolls sideways, at any beat of the burst, compared and followed`, () =>
    site.visit({ size }, async (page) => {
      const check = async (where) => {
        const { content, view, culprits } = await page.evaluate(() => {
          const view = document.documentElement.clientWidth;
          const scrolls = (it) => it && (['auto', 'scroll', 'hidden', 'clip'].includes(getComputedStyle(it).overflowX) || scrolls(it.parentElement));
          return {
            view,
            content: document.documentElement.scrollWidth,
            culprits: [...document.querySelectorAll('body *')].filter((it) => it.getBoundingClientRect().right > view + 1 && !scrolls(it.parentElement)).slice(0, 3).map((it) => it.outerHTML.slice(0, 80)),
          };
        });
        assert.ok(content <= view, `${where}: ${content} wide in ${view}: ${culprits.join(' | ')}`);
      };
      await check('start');
      await toScene(page, 4);
      await skip(page, 3);
      await check('burst');
      await page.getByTestId('log').getByRole('button').last().click();
      await check('followed');
      const compare = button(page, 'Compare');
      if (await compare.isVisible()) {
        await compare.click();
        await check('compared');
      }
    }));
}

/** Is all of it within the view? */
const inView = (page, selector) =>
  page.locator(selector).first().evaluate((it) => {
    const { top, bottom, left, right } = it.getBoundingClientRect();
    return { fits: top >= -1 && left >= -1 && bottom <= innerHeight + 1 && right <= innerWidth + 1, top, bottom, innerHeight };
  });

for (const size of SIZES) {
  test(`at ${size} the picture, what is told and Next step are in sight together, at each beat, without scrolling`, () =>
    site.visit({ size }, async (page) => {
      await everyBeat(page, async (where) => {
        for (const selector of ['.lanes', '[data-testid=caption]', '.nav .go']) {
          const { fits, ...box } = await inView(page, selector);
          assert.ok(fits, `${where}: ${selector} ${JSON.stringify(box)}`);
        }
        assert.equal(await page.evaluate(() => scrollY), 0);
      }, [1, 3, 4]);
    }));
}

test('with reduced motion nothing travels: the way is drawn, and the token stands at its ends', () =>
  site.visit({ context: { reducedMotion: 'reduce' } }, async (page) => {
    await toScene(page, 4);
    await skip(page, 2);
    // The way is drawn with the next frame.
    await page.locator('.paths .way').first().waitFor({ state: 'attached' });
    assert.notEqual(await page.locator('.paths .way').first().getAttribute('d'), null);
    await toScene(page, 1);
    await page.getByLabel('Speed', { exact: true }).selectOption('0.25');
    await page.evaluate(() => {
      // Every place at which a token is seen, by token.
      window.places = {};
      const note = () => {
        for (const token of document.querySelectorAll('.token')) {
          (window.places[`${token.dataset.token} ${token.dataset.record}`] ??= new Set()).add(token.style.transform);
        }
        window.watching = requestAnimationFrame(note);
      };
      note();
    });
    await button(page, 'Play').click();
    await until(page, () => document.querySelector('[data-testid=queue-depth]').textContent === '1' || document.querySelector('[data-testid=reconcile-count]').textContent === '1');
    await button(page, 'Pause').click();
    const places = await page.evaluate(() => Object.entries(window.places).map(([token, places]) => [token, places.size]));
    assert.ok(places.length >= 2, 'tokens were there');
    for (const [token, count] of places) assert.ok(count <= 3, `${token} was in ${count} places`);
  }));
