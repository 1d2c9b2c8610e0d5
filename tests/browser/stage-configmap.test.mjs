// The stage of chapter two: what differs is flagged, nothing is cut off or in the way of another, and tokens stay on it.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { SIZES, openSite } from './page.mjs';
import { clipped, inView, isInside, tokens } from './eyes.mjs';
import { read, seek, until } from './hands.mjs';

const site = await openSite();
after(() => site.close());

const SCENES = [1, 2, 3, 4, 5, 6, 7, 8, 9];

/** Opens the page where a step of a scene stands, and calls `look(page)`. */
const at = (scene, step, look, how = {}) => site.visit({ fragment: `1/configmap/${scene}?step=${step}`, ...how }, look);

const lane = (page, name) => page.getByTestId(`lane-${name}`);
const flags = (page) => page.locator('.lane.informer .flag').allInnerTexts().then((found) => found.map((text) => text.replace(/\s+/g, '')));

test('an object that the cache does not have yet is flagged as missing, with a word and a sign', () =>
  at(1, 2, async (page) => {
    assert.deepEqual(await flags(page), ['missing', 'missing']);
    assert.equal(await lane(page, 'informer').locator('.flag svg').count(), 2);
    assert.match(await page.getByTestId('informer').innerText(), /listing[^]*not synced yet/);
    assert.match(await lane(page, 'informer').innerText(), /≠ store: 2/);
  }));

test('an object that the cache has in an older version is flagged as differing, and stands in the row of the stored one', () =>
  at(2, 8, async (page) => {
    assert.deepEqual(await flags(page), ['≠differs']);
    const [stored, cached] = await Promise.all(['store', 'informer'].map((name) => lane(page, name).locator('.object').first().boundingBox()));
    assert.ok(Math.abs(stored.y - cached.y) < 1, `${stored.y} and ${cached.y}`);
    assert.match(await lane(page, 'store').locator('.object').innerText(), /managed-by[^]*rev 3/);
    assert.match(await lane(page, 'informer').locator('.object').innerText(), /no label[^]*rev 2/);
  }));

test('an object that is gone from the store is flagged in the cache, and its place in the store is kept', () =>
  at(4, 6, async (page) => {
    assert.deepEqual(await flags(page), ['gone']);
    assert.match(await lane(page, 'store').innerText(), /deleted/);
  }));

test('a scribble on the cached object is flagged: changed in memory, not in the store', () =>
  at(8, 2, async (page) => {
    assert.deepEqual(await flags(page), ['scribbled']);
    const title = await lane(page, 'informer').locator('.object').getAttribute('title');
    assert.match(title, /changed in memory, not in the store/);
    assert.match(await lane(page, 'informer').locator('.object').innerText(), /managed-by/);
    assert.match(await lane(page, 'store').locator('.object').innerText(), /no label/);
  }));

test('while writes are refused the API server’s door says so, and for how long', async () => {
  await at(5, 3, async (page) => {
    assert.match(await page.getByTestId('door').innerText(), /refuses writes\s+for another\s+\d/);
    const shelf = page.getByRole('group', { name: 'Delayed keys' });
    assert.match(await shelf.innerText(), /retry 1\s+\d+ ms/);
  });
  await at(5, 7, async (page) => assert.match(await page.getByTestId('door').innerText(), /takes writes/));
});

test('150 keys that fail together stay clear: a field of marks, and the last wait', () =>
  at(5, 10, async (page) => {
    for (const name of ['store', 'informer']) {
      assert.match(await lane(page, name).locator('.field').innerText(), /\+148 more, 0 with label/);
      assert.equal(await lane(page, name).locator('.object').count(), 2);
    }
    assert.match(await page.getByRole('group', { name: 'Delayed keys' }).innerText(), /\+148 more\s+last\s+5\.0 s/);
  }));

for (const size of SIZES) {
  test(`at ${size} it can be read how many more of 150 keys wait`, () =>
    site.visit({ size, fragment: '1/configmap/5?do=1s.8:many:box:150&at=1.2s.900' }, async (page) => {
      const more = lane(page, 'queue').locator('.crowd span');
      assert.match(await more.innerText(), /^\+1\d\d more$/);
      const [whole, shown] = await Promise.all([more, more.locator('..')].map((found) => found.boundingBox()));
      assert.ok(whole.x + whole.width <= shown.x + shown.width + 1, 'it is cut off');
    }));
}

test('the write goes back along the road and comes again as an event: the pendulum of scene 2', () =>
  at(2, 7, async (page) => {
    const road = await page.getByTestId('road').boundingBox();
    const way = await page.locator('.paths .way.update').evaluate((path) => {
      const { x, y, width, height } = path.getBoundingClientRect();
      const middle = path.getPointAtLength(path.getTotalLength() / 2);
      const stage = document.querySelector('.lanes').getBoundingClientRect();
      return { x, y, width, height, middle: middle.y + stage.y };
    });
    assert.ok(way.middle > road.y && way.middle < road.y + road.height, 'the way is the road');
    const [store, recon] = await Promise.all(['store', 'reconcile'].map((name) => lane(page, name).boundingBox()));
    assert.ok(way.x <= store.x + store.width && way.x + way.width >= recon.x, 'from Reconcile() to the API server');
    await page.getByRole('button', { name: 'Next step' }).click();
    await until(page, () => document.querySelector('[data-testid=road]').textContent.includes('1 taken'));
    await page.getByRole('button', { name: 'Next step' }).click();
    await until(page, () => document.querySelector('.token.reply'));
    // Its own write, as an event like any other.
    await until(page, () => document.querySelector('[data-testid=lane-watch]').textContent.includes('1 in flight') && document.querySelector('.token.event')?.textContent === '3');
  }));

test('there is no lane of databases, and every lane of the chapter has its name', () =>
  at(1, 1, async (page) => {
    assert.deepEqual(await page.locator('.lanes h2').allInnerTexts(), ['API server', 'Informer and cache', 'Work queue', 'Reconcile()']);
    assert.equal(await page.getByTestId('lane-actual').count(), 0);
  }));

test('in words: what the informer is at, and what differs', () =>
  at(6, 6, async (page) => {
    const words = await page.getByTestId('words').first().innerText();
    assert.match(words, /API server\s+takes writes; hello: revision 6, no label/);
    assert.match(words, /Informer and cache\s+watching, has synced; cache: hello: revision 5, managed-by, not as in the store/);
  }));

/** Places of one lane that lie upon each other, though neither holds the other. Runs in the page. */
function overlapping() {
  const faults = [];
  const places = [...document.querySelectorAll('.lanes [data-place]')].filter((it) => it.checkVisibility({ visibilityProperty: true }));
  const apart = places.map((it) => [it, it.getBoundingClientRect()]).filter(([, box]) => box.width > 2 && box.height > 2);
  for (const [n, [a, one]] of apart.entries()) {
    for (const [b, two] of apart.slice(n + 1)) {
      // A port sits on the edge of what it belongs to.
      if (a.contains(b) || b.contains(a) || [a, b].some((it) => it.matches('.port'))) continue;
      const wide = Math.min(one.right, two.right) - Math.max(one.left, two.left);
      const high = Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top);
      if (wide > 1 && high > 1) faults.push(`${a.dataset.place} and ${b.dataset.place} lie upon each other: ${Math.round(wide)} × ${Math.round(high)} px`);
    }
  }
  return faults;
}

for (const size of [...SIZES, '320x640']) {
  test(`at ${size}, wherever one looks, tokens stay on the stage, no text is cut off without saying so, no place lies upon another`, () =>
    site.visit({ size, fragment: '1/configmap/1' }, async (page) => {
      const kinds = new Set();
      const faults = new Set();
      for (const scene of SCENES) {
        await page.evaluate((hash) => { location.hash = hash; }, `1/configmap/${scene}`);
        await until(page, (id) => document.getElementById(id)?.ariaSelected === 'true', `tab-${scene}`);
        for (let instant = 0; instant < 16; instant += 1) {
          await seek(page, (instant + 0.37) / 16);
          const stage = await page.locator('.lanes').boundingBox();
          const where = `scene ${scene}, ${(await read(page)).clock} s`;
          for (const token of await tokens(page)) {
            kinds.add(token.kind);
            if (!isInside(token, stage)) faults.add(`${where}: token ${JSON.stringify(token)} leaves the stage ${JSON.stringify(stage)}`);
          }
          for (const fault of [...(await page.evaluate(clipped)), ...(await page.evaluate(overlapping))]) faults.add(`scene ${scene}: ${fault}`);
        }
      }
      assert.deepEqual([...faults], []);
      assert.ok(kinds.size >= 5, `seen: ${[...kinds].join(' ')}`);
    }));
}

for (const size of SIZES) {
  test(`at ${size} the picture, what is told and Next step are in sight together at every step, without scrolling`, async () => {
    for (const scene of SCENES) {
      await site.visit({ size, fragment: `1/configmap/${scene}` }, async (page) => {
        const faults = [];
        const steps = Number((await read(page)).place.match(/of (\d+)$/)[1]);
        for (let step = 1; step <= steps; step += 1) {
          await page.evaluate((hash) => { location.hash = hash; }, `1/configmap/${scene}?step=${step}`);
          await until(page, (step) => document.querySelector('.kicker').textContent.includes(`step ${step} of`), step);
          for (const selector of ['.lanes', '[data-testid=caption]', '.nav .go']) {
            const { fits, ...box } = await inView(page, selector);
            if (!fits) faults.push(`scene ${scene}, step ${step}: ${selector} ${JSON.stringify(box)}`);
          }
        }
        assert.deepEqual(faults, []);
      });
    }
  });
}

test('with reduced motion the ways are drawn, and tokens stand at their ends', () =>
  at(2, 7, async (page) => {
    assert.equal(await page.locator('.paths .way.update').count(), 1);
    const [before] = await tokens(page);
    await page.waitForTimeout(200);
    assert.deepEqual((await tokens(page))[0], before);
  }, { context: { reducedMotion: 'reduce' } }));
