// Every button acts at any time, what cannot be done says why, and everything can be taken back.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openSite } from './page.mjs';
import { button, fast, isOff, log, next, read, seek, skip, still, tab, toScene, until } from './hands.mjs';

const site = await openSite();
after(() => site.close());

const ACTS = ['Create', 'Scale up', 'Scale down', 'Upgrade', 'Burst ×10', 'Delete', 'Kill a replica', 'Restart controller', 'Fail next upgrade'];
const pods = (page) => page.getByTestId('lane-actual').locator('.pod:not(.ghost)');
const seed = (page) => page.getByLabel('Seed', { exact: true });
const choose = (page, name) => page.getByLabel('Resource', { exact: true }).selectOption({ label: name });
const logged = (page, words) => page.getByTestId('log').locator('li').getByText(words).first().waitFor();

/** Does one thing, and waits until the loop rests again. Resolves to what is read then. */
async function act(page, name) {
  await button(page, name).click();
  await still(page);
  return read(page);
}

/** To the end of the story, where the script does nothing more. */
async function toTheEnd(page) {
  await fast(page);
  await toScene(page, 6);
  await seek(page, 1.01);
  assert.equal((await read(page)).revision, 15);
}

test('each button acts, and its effect is seen', () =>
  site.visit({}, async (page) => {
    await toTheEnd(page);
    await choose(page, 'staging-postgres');
    assert.equal(await pods(page).count(), 5, 'five of production');

    let seen = await act(page, 'Create');
    assert.equal(seen.revision, 16);
    await logged(page, /revision=16 +ADDED +key="default\/staging-postgres"/);
    assert.equal(await pods(page).count(), 6);

    seen = await act(page, 'Scale up');
    assert.deepEqual([seen.revision, await pods(page).count()], [17, 7]);
    seen = await act(page, 'Scale down');
    assert.deepEqual([seen.revision, await pods(page).count()], [18, 6]);

    seen = await act(page, 'Upgrade');
    assert.equal(seen.revision, 19);
    await page.getByTestId('lane-actual').getByText('15.6').first().waitFor();

    const before = await read(page);
    seen = await act(page, 'Burst ×10');
    assert.deepEqual([seen.revision, seen.events - before.events], [29, 10]);
    assert.ok(seen.merged > before.merged, 'the queue merges some of them');

    seen = await act(page, 'Kill a replica');
    assert.deepEqual([seen.revision, await pods(page).count()], [29, 6], 'it came back, and the store knows nothing of it');
    await logged(page, /replica lost/);

    seen = await act(page, 'Restart controller');
    assert.equal(seen.revision, 29);
    await logged(page, /\[controller\] ?stopped/);
    await logged(page, /listed "default\/staging-postgres"/);

    await button(page, 'Fail next upgrade').click();
    await still(page);
    assert.ok(await isOff(button(page, 'Fail next upgrade')), 'once is enough');
    const { retries } = await read(page);
    seen = await act(page, 'Upgrade');
    assert.deepEqual([seen.revision, seen.retries], [30, retries + 1], 'an error is a requeue');
    await logged(page, /ERROR/);

    seen = await act(page, 'Delete');
    assert.equal(seen.revision, 31);
    await logged(page, /DELETED +key="default\/staging-postgres"/);
    assert.equal(await pods(page).count(), 5, 'what ran because of it is gone');
  }));

test('a button acts while it plays, and at any step of any scene', () =>
  site.visit({}, async (page) => {
    await toScene(page, 4);
    await button(page, 'Play').click();
    await until(page, () => Number(document.querySelector('[data-testid=revision]').textContent) >= 5);
    const { revision } = await read(page);
    await button(page, 'Scale up').click();
    await until(page, (before) => Number(document.querySelector('[data-testid=revision]').textContent) > before, revision);
    for (const scene of [1, 2, 3, 4, 5, 6]) {
      await toScene(page, scene);
      await skip(page);
      const before = await read(page);
      await button(page, 'Scale up').click();
      await until(page, (before) => Number(document.querySelector('[data-testid=revision]').textContent) > before, before.revision);
      await button(page, 'Undo').click();
      assert.equal((await read(page)).revision, before.revision, `scene ${scene}: taken back`);
    }
  }));

test('what cannot be done is disabled and says why, in its title and to those who listen', () =>
  site.visit({}, async (page) => {
    const reasons = async () => {
      const found = {};
      for (const name of ACTS) {
        const act = button(page, name);
        const title = await act.getAttribute('title');
        assert.ok(title, `${name} has a title`);
        if (!(await isOff(act))) continue;
        const id = await act.getAttribute('aria-describedby');
        assert.equal(await page.locator(`#${id}`).textContent(), title, `${name}: title and description`);
        found[name] = title;
      }
      return found;
    };
    const none = 'There is no such object. Create it first.';
    assert.deepEqual(await reasons(), {
      'Scale up': none, 'Scale down': none, Upgrade: none, 'Burst ×10': none, Delete: none,
      'Kill a replica': 'No replica of it runs.',
    });
    // A press does nothing.
    await button(page, 'Delete').dispatchEvent('click');
    assert.deepEqual([(await read(page)).revision, (await read(page)).playing], [0, false]);

    await toScene(page, 2);
    assert.deepEqual(await reasons(), { Create: 'It exists already.' });
    await choose(page, 'staging-postgres');
    assert.deepEqual(Object.keys(await reasons()), ['Scale up', 'Scale down', 'Upgrade', 'Burst ×10', 'Delete', 'Kill a replica']);

    await choose(page, 'production-postgres');
    await toScene(page, 6);
    await seek(page, 1.01);
    while (!(await isOff(button(page, 'Scale up')))) await button(page, 'Scale up').click();
    assert.deepEqual(await reasons(), { Create: 'It exists already.', 'Scale up': 'Nine replicas are the most that the picture shows.' });
    assert.ok(await isOff(button(page, 'Redo')));
    assert.match(await button(page, 'Redo').getAttribute('title'), /nothing to redo/);
  }));

test('the command that a button stands for is its title', () =>
  site.visit({}, async (page) => {
    await toScene(page, 2);
    assert.match(await button(page, 'Scale up').getAttribute('title'), /^kubectl patch databasecluster production-postgres --type merge .*"replicas":4/);
    assert.match(await button(page, 'Delete').getAttribute('title'), /^kubectl delete databasecluster production-postgres/);
  }));

test('undo and redo go through everything the visitor did, with the mouse and with the keyboard', () =>
  site.visit({}, async (page) => {
    await toTheEnd(page);
    const revisions = [];
    for (const name of ['Scale up', 'Upgrade', 'Scale down']) revisions.push((await act(page, name)).revision);
    assert.deepEqual(revisions, [16, 17, 18]);
    const lines = await log(page);
    for (const revision of [17, 16, 15]) {
      await button(page, 'Undo').click();
      await until(page, (revision) => Number(document.querySelector('[data-testid=revision]').textContent) === revision, revision);
    }
    assert.ok(await isOff(button(page, 'Undo')));
    await page.locator('h1').click();
    for (let press = 0; press < 3; press += 1) await page.keyboard.press('Control+y');
    await until(page, () => Number(document.querySelector('[data-testid=revision]').textContent) === 18);
    assert.deepEqual(await log(page), lines, 'the very same run');
    await page.keyboard.press('Control+z');
    await until(page, () => Number(document.querySelector('[data-testid=revision]').textContent) === 17);
  }));

test('acting in the past says before what it will drop, and Undo brings it back', () =>
  site.visit({}, async (page) => {
    await fast(page);
    await toScene(page, 4);
    assert.equal(await page.locator('.fork').count(), 0);
    await act(page, 'Scale up');
    await act(page, 'Upgrade');
    const { revision } = await read(page);
    await toScene(page, 2);
    assert.match(await page.locator('.fork').innerText(), /in the past.*drops the 2 things you did later; Undo brings them back/);
    await act(page, 'Scale down');
    assert.equal(await page.locator('.fork').count(), 0, 'they are dropped');
    await button(page, 'Undo').click();
    assert.match(await page.locator('.fork').innerText(), /drops the 2 things/);
    await button(page, 'Undo').click();
    assert.equal((await read(page)).revision, revision - 1);
  }));

test('a bad seed is refused in words and the old one stays; a good one replays the scene', () =>
  site.visit({}, async (page) => {
    await toScene(page, 2);
    for (const bad of ['-1', 'abc', '', '1.5', '18446744073709551616', '1e3']) {
      await seed(page).fill(bad);
      await seed(page).press('Enter');
      assert.match(await page.getByRole('alert').innerText(), /whole number/, `“${bad}”`);
      assert.equal(await seed(page).inputValue(), '3');
    }
    for (const good of ['18446744073709551615', ' 7 ', '0']) {
      await seed(page).fill(good);
      await seed(page).press('Enter');
      assert.equal(await page.getByRole('alert').count(), 0, `“${good}”`);
      assert.equal(await seed(page).inputValue(), good.trim());
    }
    const seen = await read(page);
    assert.deepEqual([seen.scene, seen.revision, seen.playing], [2, 1, false]);
    await button(page, 'Undo').click();
    assert.equal(await seed(page).inputValue(), '7', 'a seed can be taken back');
  }));

test('what is being typed stays as it is typed, though the page plays meanwhile', () =>
  site.visit({}, async (page) => {
    await fast(page);
    await button(page, 'Play').click();
    await seed(page).fill('');
    for (const digit of '4217') {
      const { clock } = await read(page);
      await page.keyboard.type(digit);
      await until(page, (clock) => parseFloat(document.querySelector('[data-testid=clock]').textContent) > clock, clock);
    }
    assert.equal(await seed(page).inputValue(), '4217');
    await page.keyboard.press('Enter');
    assert.deepEqual([await seed(page).inputValue(), (await read(page)).playing], ['4217', false]);
  }));

test('New seed draws a seed, a different one each time', () =>
  site.visit({}, async (page) => {
    const seeds = new Set([await seed(page).inputValue()]);
    for (let draw = 0; draw < 3; draw += 1) {
      await button(page, 'New seed').click();
      const drawn = await seed(page).inputValue();
      assert.match(drawn, /^\d{1,6}$/);
      seeds.add(drawn);
    }
    assert.equal(seeds.size, 4);
  }));

test('the queue switch changes the queue alone and replays to the beginning of the scene', () =>
  site.visit({}, async (page) => {
    await toScene(page, 5);
    assert.equal((await read(page)).reconciles, 9);
    await next(page, 2);
    await button(page, 'Plain channel').click();
    let seen = await read(page);
    assert.deepEqual([seen.scene, seen.reconciles, seen.merged, seen.playing], [5, 16, 0, false]);
    assert.match(seen.place, /step 1 of/);
    assert.equal(await button(page, 'Plain channel').getAttribute('aria-pressed'), 'true');
    assert.equal(await button(page, 'client-go queue').getAttribute('aria-pressed'), 'false');
    assert.match(await page.getByTestId('lane-queue').innerText(), /plain channel, 64 places/);
    await button(page, 'client-go queue').click();
    seen = await read(page);
    assert.deepEqual([seen.scene, seen.reconciles, seen.merged], [5, 9, 7]);
    await button(page, 'Undo').click();
    assert.equal((await read(page)).reconciles, 16, 'a switch can be taken back');
  }));

test('a step whose fact does not happen in the visitor’s run says so, and the story goes on', () =>
  site.visit({}, async (page) => {
    await fast(page);
    await toScene(page, 5);
    await next(page, 4);
    await choose(page, 'staging-postgres');
    await act(page, 'Delete');
    await tab(page, 6).click();
    let missed = 0;
    for (let step = 0; step < 12 && !(await isOff(button(page, 'Next step'))); step += 1) {
      await next(page);
      missed += await page.getByTestId('caption').getByText('This did not happen in your run.').count();
    }
    assert.ok(missed > 0, 'without the object there is nothing to delete');
    assert.ok(await isOff(button(page, 'Next step')), 'the story ends all the same');
  }));

test('Restart goes back to the beginning without what the visitor did', () =>
  site.visit({}, async (page) => {
    await toScene(page, 3);
    await button(page, 'Scale up').click();
    await button(page, 'Restart').click();
    const seen = await read(page);
    assert.deepEqual([seen.scene, seen.revision, seen.playing], [1, 0, false]);
    await toScene(page, 4);
    assert.equal((await read(page)).revision, 3);
  }));
