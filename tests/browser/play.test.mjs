// Playing, stepping, seeking and zooming, with the mouse and with the keyboard alone.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openSite } from './page.mjs';
import { button, fast, next, read, still, tab, toScene, until } from './hands.mjs';

const site = await openSite();
after(() => site.close());

const speed = (page) => page.getByLabel('Speed', { exact: true });
const slider = (page) => page.getByRole('slider', { name: 'Timeline' });
const story = (page) => slider(page).getAttribute('aria-valuenow').then(Number);
const clock = (page) => read(page).then((seen) => seen.clock);
/** Resolves when the clock shows more (or less) than `than`. */
const later = (page, than) => until(page, (than) => parseFloat(document.querySelector('[data-testid=clock]').textContent) > than, than);
const earlier = (page, than) => until(page, (than) => parseFloat(document.querySelector('[data-testid=clock]').textContent) < than, than);
/** Takes the focus off any control, as a click beside them does. */
const blur = (page) => page.evaluate(() => document.activeElement.blur());
/** Facts that have happened: the log shows but the last, so these are counted in the picture's own terms. */
const facts = (page) => page.evaluate(() => document.querySelector('[data-testid=log]').textContent);

test('Play plays, Pause pauses, and the speed can be changed while it plays', () =>
  site.visit({}, async (page) => {
    await button(page, 'Play').click();
    await later(page, 0.1);
    assert.equal(await button(page, 'Play').count(), 0, 'there is Pause instead');
    for (const choice of ['0.1', '10', '2']) {
      await speed(page).selectOption(choice);
      const now = await story(page);
      assert.ok((await read(page)).playing, `it goes on at ${choice}×`);
      await until(page, (now) => Number(document.querySelector('[role=slider]').ariaValueNow) > now, now);
    }
    await button(page, 'Pause').click();
    const seen = await read(page);
    assert.deepEqual([seen.playing, seen.pace], [false, 'paused']);
    assert.ok(seen.revision >= 1);
  }));

test('at the highest speed the whole run plays to its end and rests; Play then begins again', () =>
  site.visit({}, async (page) => {
    await fast(page);
    await toScene(page, 5);
    await button(page, 'Play').click();
    await still(page);
    const seen = await read(page);
    assert.deepEqual([seen.pace, seen.revision, seen.reconciles, seen.scene], ['at rest', 15, 12, 6]);
    await button(page, 'Play').click();
    await earlier(page, seen.clock);
    assert.equal((await read(page)).scene, 1);
  }));

test('Play backwards undoes the picture up to the beginning, and playing forward shows the same again', () =>
  site.visit({}, async (page) => {
    await fast(page);
    await next(page, 4);
    const before = await read(page);
    const lines = await facts(page);
    await button(page, 'Play backwards').click();
    await earlier(page, before.clock);
    await still(page);
    const begin = await read(page);
    assert.deepEqual([begin.revision, begin.events, begin.reconciles, begin.clock], [0, 0, 0, 0]);
    await toScene(page, 1);
    await next(page, 4);
    const again = await read(page);
    assert.deepEqual(again, before);
    assert.equal(await facts(page), lines);
  }));

test('Step forward and Step back go by one fact, there and back again', () =>
  site.visit({}, async (page) => {
    await toScene(page, 2);
    const seen = [];
    for (let step = 0; step < 8; step += 1) {
      seen.push(await read(page).then(({ clock, events, reconciles, revision }) => [clock, events, reconciles, revision]));
      await button(page, 'Step forward').click();
      await still(page);
    }
    assert.ok(new Set(seen.map(String)).size > 3, 'something happens');
    while (seen.length > 1) {
      await button(page, 'Step back').click();
      const { clock, events, reconciles, revision, playing } = await read(page);
      assert.deepEqual([clock, events, reconciles, revision], seen.pop());
      assert.equal(playing, false);
    }
  }));

test('true time is proportional: the same run, the same place, another pace', () =>
  site.visit({}, async (page) => {
    await toScene(page, 3);
    await next(page, 2);
    const before = await read(page);
    const tempo = Number(await slider(page).getAttribute('aria-valuemax'));
    await button(page, 'True time').click();
    assert.equal(await button(page, 'True time').getAttribute('aria-pressed'), 'true');
    const after = await read(page);
    assert.deepEqual([after.revision, after.events, after.reconciles], [before.revision, before.events, before.reconciles]);
    assert.ok(Math.abs(after.clock - before.clock) < 0.05, `${before.clock} and ${after.clock}`);
    // A story millisecond is a simulated one.
    assert.ok(Math.abs((await story(page)) / 1000 - after.clock) < 0.01);
    await button(page, 'Play').click();
    await later(page, after.clock);
    assert.match((await read(page)).pace, /real time|at rest/);
    await button(page, 'Pause').click();
    await button(page, 'True time').click();
    assert.equal(Number(await slider(page).getAttribute('aria-valuemax')), tempo);
  }));

test('a click on the timeline goes there, and while it is dragged the picture follows', () =>
  site.visit({}, async (page) => {
    await toScene(page, 4);
    const box = await slider(page).boundingBox();
    const at = (share) => [box.x + box.width * share, box.y + box.height / 2];
    await page.mouse.click(...at(0.5));
    const middle = await read(page);
    assert.ok(middle.revision > 3 && middle.revision <= 13, `revision ${middle.revision} in the middle of the burst`);
    assert.equal(middle.playing, false);

    await page.mouse.move(...at(0.02));
    await page.mouse.down();
    const seen = [];
    for (const share of [0.1, 0.3, 0.5, 0.7, 0.98]) {
      await page.mouse.move(...at(share));
      // One frame later it is drawn.
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      seen.push(await read(page));
    }
    await page.mouse.move(...at(0.3));
    await page.mouse.up();
    const back = await read(page);
    const clocks = seen.map((each) => each.clock);
    assert.deepEqual(clocks, clocks.toSorted((a, b) => a - b));
    assert.ok(new Set(clocks).size === clocks.length, clocks.join(' '));
    assert.deepEqual([seen.at(-1).revision, seen.at(-1).reconciles], [13, 9]);
    assert.deepEqual(back, seen[1], 'and back again, the same picture');
    await page.mouse.move(...at(0.9));
    assert.deepEqual(await read(page), back, 'let go, it stays');
  }));

test('the timeline is zoomed with buttons and with the wheel, and a click then goes where it points', () =>
  site.visit({}, async (page) => {
    await toScene(page, 4);
    // The widest bar of the track.
    const bars = () => page.evaluate(() => Math.max(...[...document.querySelectorAll('.canvas path.on-watch')].flatMap((bars) => [...bars.getAttribute('d').matchAll(/h([\d.]+)v/g)].map(([, wide]) => Number(wide)))));
    const scene = await bars();
    await button(page, 'Zoom in').click();
    const near = await bars();
    assert.ok(near > scene * 1.2, `${scene} became ${near}`);
    await button(page, 'Zoom out').click();
    await button(page, 'Scene').click();
    assert.equal(await bars(), scene);
    await button(page, 'All').click();
    assert.ok((await bars()) < scene);
    await button(page, 'Scene').click();
    const box = await slider(page).boundingBox();
    const place = [box.x + box.width * 0.4, box.y + box.height / 2];
    await page.mouse.click(...place);
    const there = await clock(page);
    await page.mouse.wheel(0, -240);
    while ((await bars()) <= scene) await page.waitForTimeout(50);
    await page.mouse.click(...place);
    assert.ok(Math.abs((await clock(page)) - there) < 0.05, 'what is under the pointer stays under it');
  }));

test('the keyboard alone: space, arrows, shift and arrows, 1 to 6, N and B, T, ? and Esc', () =>
  site.visit({}, async (page) => {
    const press = (key) => page.keyboard.press(key);
    await press('3');
    assert.equal((await read(page)).scene, 3);
    await press('6');
    assert.equal((await read(page)).scene, 6);
    await press('2');
    const begin = await read(page);
    assert.deepEqual([begin.scene, begin.reconciles], [2, 2]);

    await press('ArrowRight');
    await press('ArrowRight');
    await press('ArrowRight');
    await still(page);
    const fact = await read(page);
    assert.ok(fact.revision === 2 || fact.clock > begin.clock);
    await press('ArrowLeft');
    await press('ArrowLeft');
    await press('ArrowLeft');
    assert.equal((await read(page)).revision, begin.revision);

    await press('Shift+ArrowRight');
    await press('ArrowRight'); // what is under way is finished at once
    await still(page);
    assert.equal((await read(page)).reconciles, 3, 'one reconcile further');
    await press('Shift+ArrowLeft');
    assert.ok((await read(page)).reconciles <= 3);

    await press('2');
    await press('n');
    await press('n');
    await still(page);
    assert.match((await read(page)).place, /Scene 2 of 6 · step 3 of/);
    await press('b');
    assert.match((await read(page)).place, /Scene 2 of 6 · step 2 of/);

    await press('t');
    assert.equal(await button(page, 'True time').getAttribute('aria-pressed'), 'true');
    await press('t');
    assert.equal(await button(page, 'True time').getAttribute('aria-pressed'), 'false');

    await press('+');
    assert.equal(await speed(page).inputValue(), '2');
    await press('-');
    assert.equal(await speed(page).inputValue(), '1');

    const from = await clock(page);
    await press('Space');
    await later(page, from);
    await press('Space');
    assert.equal((await read(page)).playing, false);
    const there = await clock(page);
    await press('Shift+Space');
    await earlier(page, there);
    await press('Space');
    assert.equal((await read(page)).playing, false);

    await press('?');
    const sheet = page.getByRole('dialog', { name: 'Keys' });
    await sheet.waitFor();
    await press('Escape');
    await sheet.waitFor({ state: 'detached' });

    await page.getByTestId('log').getByRole('button').first().focus();
    await press('Enter');
    await page.locator('.followed').waitFor();
    await press('Escape');
    await page.locator('.followed').waitFor({ state: 'detached' });
  }));

test('keys are dead in inputs, and in the sheet of keys', () =>
  site.visit({}, async (page) => {
    await toScene(page, 2);
    const before = await read(page);
    const seed = page.getByLabel('Seed', { exact: true });
    await seed.focus();
    for (const key of ['n', 't', '3', 'ArrowRight', 'Space', '?']) await page.keyboard.press(key);
    assert.deepEqual(await read(page), before);
    assert.equal(await page.getByRole('dialog').count(), 0);
    await speed(page).focus();
    for (const key of ['n', 't', '5']) await page.keyboard.press(key);
    assert.deepEqual([(await read(page)).scene, (await read(page)).place], [2, before.place]);
    await button(page, 'Keys').click();
    await page.getByRole('dialog').waitFor();
    for (const key of ['n', '4', 't']) await page.keyboard.press(key);
    assert.deepEqual(await read(page), before);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }));

test('single keys can be switched off, and the choice lasts over a reload', () =>
  site.visit({}, async (page) => {
    const letters = () => page.getByRole('dialog').getByRole('checkbox');
    const open = async () => {
      await button(page, 'Keys').click();
      await letters().waitFor();
    };
    const close = async () => {
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
      await letters().waitFor({ state: 'detached' });
      await blur(page);
    };
    await open();
    assert.ok(await letters().isChecked());
    await letters().uncheck();
    await close();
    await page.keyboard.press('4');
    await page.keyboard.press('t');
    assert.equal((await read(page)).scene, 1);
    await page.reload();
    await page.waitForSelector('html[data-ready="true"]', { state: 'attached' });
    await page.keyboard.press('4');
    await page.keyboard.press('?');
    assert.equal((await read(page)).scene, 1);
    assert.equal(await page.getByRole('dialog').count(), 0);
    await page.keyboard.press('ArrowRight'); // not a single character: still does something
    await until(page, () => document.querySelector('[data-testid=revision]').textContent === '1' || document.querySelector('.play').ariaLabel === 'Pause');
    await still(page);
    await open();
    assert.equal(await letters().isChecked(), false);
    await letters().check();
    await close();
    await page.keyboard.press('4');
    assert.equal((await read(page)).scene, 4);
  }));

test('everything is reached with Tab, in the order in which it is read, with a focus that can be seen', () =>
  site.visit({}, async (page) => {
    await next(page, 2);
    const reached = [];
    // The browser goes on from what has the focus: begin at the beginning.
    await page.locator('.logo').focus();
    await page.keyboard.press('Shift+Tab');
    for (let press = 0; press < 120; press += 1) {
      await page.keyboard.press('Tab');
      const stop = await page.evaluate(() => {
        const it = document.activeElement;
        if (it === document.body) return null;
        window.reached ??= new Set();
        const again = window.reached.has(it);
        window.reached.add(it);
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(it);
        const { width, height } = it.getBoundingClientRect();
        return {
          again,
          name: it.ariaLabel ?? it.innerText?.trim() ?? it.tagName,
          seen: (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2) || boxShadow !== 'none',
          sized: width > 0 && height > 0,
        };
      });
      if (!stop || stop.again) break;
      assert.ok(stop.seen, `the focus on “${stop.name}” can be seen`);
      assert.ok(stop.sized, `“${stop.name}” is there`);
      reached.push(stop.name);
    }
    const missed = await page.evaluate(() => {
      const controls = [...document.querySelectorAll('a[href], button, input, select, summary, [tabindex]')];
      return controls
        .filter((it) => it.tabIndex >= 0 && it.checkVisibility() && !window.reached.has(it))
        .map((it) => it.ariaLabel ?? it.innerText);
    });
    assert.deepEqual(missed, []);
    for (const name of ['Next step', 'Play', 'Timeline', 'Scale up', 'Plain channel', 'Speed', 'Seed', 'Log', 'Compare', 'Keys']) {
      assert.ok(reached.some((each) => each === name || (name === 'Seed' && /seed/i.test(each)) || each.startsWith(name)), `${name} among ${reached.join(' | ')}`);
    }
    // The order of the page: story, stage, buttons, time, details.
    const places = ['Next step', 'Scale up', 'Play', 'Timeline', 'Log'].map((name) => reached.indexOf(name));
    assert.deepEqual(places, places.toSorted((a, b) => a - b), reached.join(' | '));
  }));

test('paused, nothing ticks: no animation frame is asked for, no timer runs, nothing in the page changes', () =>
  site.visit({
    prepare: (page) =>
      page.addInitScript(() => {
        window.asked = 0;
        for (const name of ['requestAnimationFrame', 'setTimeout', 'setInterval']) {
          const original = window[name];
          window[name] = (...all) => {
            window.asked += 1;
            return original.apply(window, all);
          };
        }
      }),
  }, async (page) => {
    const quiet = (during) =>
      page.evaluate(async (during) => {
        let changes = 0;
        const observer = new MutationObserver((list) => (changes += list.length));
        observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
        // Messages pass time here: unlike timers and frames, they are not what is counted.
        const { port1, port2 } = new MessageChannel();
        const end = performance.now() + during;
        const begin = window.asked;
        await new Promise((done) => {
          port1.onmessage = () => (performance.now() < end ? port2.postMessage(0) : done());
          port2.postMessage(0);
        });
        observer.disconnect();
        return { asked: window.asked - begin, changes };
      }, during);
    await next(page, 3);
    assert.ok((await page.evaluate(() => window.asked)) > 0, 'the counting works');
    await quiet(400); // what was still being written (a link in the address) is written
    assert.deepEqual(await quiet(1200), { asked: 0, changes: 0 }, 'after a step');
    await button(page, 'Play').click();
    await later(page, 0.2);
    assert.ok((await quiet(200)).asked > 0, 'playing asks for frames');
    await button(page, 'Pause').click();
    await quiet(1500);
    assert.deepEqual(await quiet(1200), { asked: 0, changes: 0 }, 'after a pause');
  }));
