// The stage: tokens and where they are, text that is not cut off, and what is in sight at once.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { SIZES, openSite } from './page.mjs';
import { clipped, inView, isInside, tokens } from './eyes.mjs';
import { button, midBurst, read, seek, skip, toScene, until } from './hands.mjs';

const site = await openSite();
after(() => site.close());

const KEY = 'default/production-postgres';

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
          if (!isInside(token, stage)) faults.add(`${where}: token ${JSON.stringify(token)} leaves the stage ${JSON.stringify(stage)}`);
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
