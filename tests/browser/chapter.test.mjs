// Chapter two on the page: its nine scenes, the switch of chapters and of words, its buttons, panels and links.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { look, prepare } from './axe.mjs';
import { THEMES, openSite } from './page.mjs';
import { openTerminal } from './terminal.mjs';
import { button, fast, isOff, log, next, read, still, tab, toScene, until } from './hands.mjs';

const site = await openSite();
after(() => site.close());

const SCENES = ['Subscribe', 'Label', 'Peel', 'Grave', 'Refused', 'Fire drill', 'Two writers', 'Scribble', 'Housekeeper'];
const CHAPTERS = ['Control loop', 'ConfigMap controller'];
const WORDS = ['Kubernetes', 'Housekeeper'];

const chapter = (page, name) => page.getByRole('group', { name: 'Chapter' }).getByRole('button', { name });
const words = (page, name) => page.getByRole('group', { name: 'Words' }).getByRole('button', { name });
const pressed = async (found) => (await found.getAttribute('aria-pressed')) === 'true';
const tabs = (page) => page.getByRole('tablist', { name: 'Scenes' }).getByRole('tab').locator('span').allTextContents();
const address = (page) => page.evaluate(() => location.hash);

/** Clicks *Next step* until the scene is another one, or there is no further step; collects what is told. */
async function walk(page, scene) {
  const go = button(page, 'Next step');
  const told = [];
  for (let click = 0; click < 60; click += 1) {
    const seen = await read(page);
    if (seen.scene !== scene) break;
    if (seen.caption !== told.at(-1)) told.push(seen.caption);
    assert.equal(await page.locator('.beats .missing').count(), 0, `a beat of scene ${scene} did not happen`);
    if (await isOff(go)) break;
    await go.click();
  }
  return told;
}

test('Next step walks all nine scenes of chapter two, and each beat happens', () =>
  site.visit({ fragment: '1/configmap/1' }, async (page) => {
    assert.deepEqual(await tabs(page), SCENES);
    await fast(page);
    for (let scene = 1; scene <= SCENES.length; scene += 1) {
      assert.equal((await read(page)).scene, scene);
      const told = await walk(page, scene);
      assert.ok(told.length >= 8, `scene ${scene} has ${told.length} captions`);
    }
    await still(page);
    assert.equal((await read(page)).scene, SCENES.length);
    assert.ok(await isOff(button(page, 'Next step')), 'the story is told');
  }));

test('the header turns to the other chapter and back, and each is as it was left', () =>
  site.visit({}, async (page) => {
    assert.ok(await pressed(chapter(page, CHAPTERS[0])));
    await button(page, 'Create').click();
    await still(page);
    const left = await read(page);
    await chapter(page, CHAPTERS[1]).click();
    await until(page, () => document.querySelector('#tab-9'));
    assert.ok(await pressed(chapter(page, CHAPTERS[1])));
    assert.equal((await read(page)).place, 'Scene 1 of 9 · step 1 of 8');
    await until(page, () => location.hash === '#1/configmap/1');
    await toScene(page, 3);
    await chapter(page, CHAPTERS[0]).click();
    await until(page, () => !document.querySelector('#tab-9'));
    const again = await read(page);
    assert.deepEqual([again.revision, again.reconciles, again.clock], [left.revision, left.reconciles, left.clock]);
    assert.ok(!(await isOff(button(page, 'Undo'))), 'what was done can still be undone');
    await chapter(page, CHAPTERS[1]).click();
    await until(page, () => document.querySelector('#tab-9'));
    assert.equal((await read(page)).scene, 3);
  }));

test('the end of chapter one leads into chapter two', () =>
  site.visit({}, async (page) => {
    assert.equal(await page.locator('.onward').count(), 0);
    await fast(page);
    await toScene(page, 6);
    await walk(page, 6);
    await still(page);
    await page.locator('.onward').getByRole('button', { name: 'Chapter 2: The ConfigMap controller' }).click();
    await until(page, () => document.querySelector('#tab-9'));
    assert.equal((await read(page)).scene, 1);
  }));

test('Back and Forward of the browser go from chapter to chapter', () =>
  site.visit({}, async (page) => {
    await chapter(page, CHAPTERS[1]).click();
    await until(page, () => location.hash.startsWith('#1/configmap/1'));
    await page.goBack();
    await until(page, () => !document.querySelector('#tab-9'));
    assert.ok(await pressed(chapter(page, CHAPTERS[0])));
    await page.goForward();
    await until(page, () => document.querySelector('#tab-9'));
    assert.ok(await pressed(chapter(page, CHAPTERS[1])));
  }));

test('the chapter is switched by keyboard too', () =>
  site.visit({}, async (page) => {
    await chapter(page, CHAPTERS[1]).focus();
    await page.keyboard.press('Enter');
    await until(page, () => document.querySelector('#tab-9'));
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press('9');
    await until(page, () => document.getElementById('tab-9').ariaSelected === 'true');
  }));

test('the words of a hotel can be put on in every scene, are kept, and scene 9 begins with them', () =>
  site.visit({ fragment: '1/configmap/1' }, async (page) => {
    const track = () => page.locator('.tracks span').first().innerText();
    for (let scene = 1; scene <= 8; scene += 1) {
      await toScene(page, scene);
      assert.ok(await pressed(words(page, WORDS[0])), `scene ${scene}`);
      assert.equal(await track(), 'API server');
    }
    await toScene(page, 9);
    assert.ok(await pressed(words(page, WORDS[1])));
    assert.equal(await track(), 'Rooms');
    const before = await log(page);
    await words(page, WORDS[0]).click();
    assert.equal(await track(), 'API server');
    assert.deepEqual(await log(page), before, 'nothing that happened is different');
    await toScene(page, 3);
    await words(page, WORDS[1]).click();
    assert.equal(await track(), 'Rooms');
    await toScene(page, 5);
    assert.ok(await pressed(words(page, WORDS[1])), 'the choice goes along');
    await page.reload();
    await page.waitForSelector('html[data-ready="true"]', { state: 'attached' });
    assert.ok(await pressed(words(page, WORDS[1])), 'and is kept');
    await chapter(page, CHAPTERS[0]).click();
    await until(page, () => !document.querySelector('#tab-9'));
    assert.equal(await track(), 'Store', 'chapter one keeps its words');
  }));

test('what is done in chapter two is in the link, and the link opens the same', () =>
  site.visit({ fragment: '1/configmap/3' }, async (page) => {
    await fast(page);
    assert.equal(await button(page, 'Peel label').getAttribute('title'), 'kubectl label configmap hello managed-by-');
    await button(page, 'Change data').click();
    await button(page, 'Refuse writes 3 s').click();
    await still(page);
    await next(page, 2);
    await until(page, () => location.hash.includes('do='));
    await page.waitForTimeout(1200);
    const [seen, lines, fragment] = [await read(page), await log(page), await address(page)];
    assert.match(fragment, /patch:hello/);
    assert.match(fragment, /refuse-for:3s/);
    await site.visit({ fragment }, async (other) => {
      const there = await read(other);
      for (const name of ['revision', 'events', 'reconciles', 'retries', 'clock', 'caption', 'scene']) {
        assert.equal(there[name], seen[name], name);
      }
      assert.deepEqual(await log(other), lines);
    });
    await button(page, 'Undo').click();
    await button(page, 'Undo').click();
    await until(page, () => !location.hash.includes('do='));
  }));

test('the records that are taken along are what the terminal prints for the link, byte for byte', () =>
  site.visit({ fragment: '1/configmap/5' }, async (page) => {
    await fast(page);
    await next(page, 3);
    await button(page, 'Annotate').click();
    await still(page);
    await page.keyboard.press('ArrowLeft');
    await still(page);
    await button(page, 'Share').click();
    const dialog = page.getByRole('dialog', { name: 'Share exactly this' });
    const link = await dialog.getByRole('textbox', { name: 'Link' }).inputValue();
    const [download] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: /JSON Lines/ }).click()]);
    const bytes = await readFile(await download.path());
    assert.ok(bytes.length > 1000);
    const terminal = await openTerminal();
    assert.ok(bytes.equals(await terminal('--link', link, '--json')));
  }));

test('the Objects panel holds the cache against the store', () =>
  site.visit({ fragment: '1/configmap/8' }, async (page) => {
    await page.getByRole('tab', { name: 'Objects' }).click();
    const panel = page.getByTestId('objects');
    await panel.getByText('the same as the store').waitFor();
    await fast(page);
    await next(page, 2);
    await panel.getByText('changed in memory; the store knows nothing of it').waitFor();
    const different = await panel.locator('.other').allTextContents();
    assert.ok(different.some((line) => line.includes('managed-by: configmap-controller')), different.join(''));
  }));

test('the Code panel shows the function of this chapter, in step and with its fault', () =>
  site.visit({ fragment: '1/configmap/8' }, async (page) => {
    await page.getByRole('tab', { name: 'Code' }).click();
    const panel = page.getByTestId('code');
    await panel.getByText('no copy').waitFor();
    await panel.getByRole('button', { name: 'Stop at: write back' }).click();
    await fast(page);
    await button(page, 'Play').click();
    await still(page);
    await panel.getByText('Stopped at: write back').waitFor();
    await panel.getByText('label written into the cache').waitFor();
    await panel.getByRole('button', { name: 'Rust' }).click();
    await panel.getByText('api.replace').waitFor();
  }));

test('What if has this chapter’s knobs, and a comparison begins with the scene’s variant', () =>
  site.visit({ fragment: '1/configmap/8' }, async (page) => {
    await page.getByRole('tab', { name: 'What if' }).click();
    const panel = page.getByTestId('what-if');
    for (const knob of ['Resync every', 'Deep copy', 'After a 409', 'Delete handler', 'A request takes']) {
      assert.equal(await panel.getByLabel(knob, { exact: true }).count(), 1, knob);
    }
    assert.equal(await panel.getByLabel('Observing takes').count(), 0);
    assert.ok(await pressed(panel.getByRole('button', { name: 'No deep copy' })));
    await button(page, 'Compare').click();
    await until(page, () => document.querySelectorAll('.lanes').length === 2);
    assert.equal(await page.getByLabel('What is different').locator('option:checked').innerText(), 'Deep copy');
  }));

for (const size of ['1280x800', '1440x900', '390x844']) {
  test(`nothing of chapter two is cut off or out of reach at ${size}`, () =>
    site.visit({ size, fragment: '1/configmap/1' }, async (page) => {
      for (let scene = 1; scene <= SCENES.length; scene += 1) {
        await toScene(page, scene);
        const { wide, chosen, go } = await page.evaluate(() => {
          const box = (found) => found.getBoundingClientRect().toJSON();
          return {
            wide: document.documentElement.scrollWidth - innerWidth,
            chosen: box(document.querySelector('[role=tab][aria-selected=true]')),
            go: box(document.querySelector('.nav .go')),
          };
        });
        const [width, height] = size.split('x').map(Number);
        assert.ok(wide <= 0, `the page is ${wide} px too wide in scene ${scene}`);
        assert.ok(chosen.left >= 0 && chosen.right <= width, `the tab of scene ${scene} is in sight`);
        assert.ok(go.bottom <= height, `Next step is in sight in scene ${scene}`);
      }
      const small = await page.locator('.chapters button').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
      const least = size.startsWith('390') ? 44 : 24;
      assert.ok(small.every((height) => height >= least), small.join(' '));
      const names = await page.locator('.top nav, .chapters, .tools').evaluateAll((rows) => rows.map((row) => row.scrollWidth - row.clientWidth));
      if (!size.startsWith('390')) assert.deepEqual(names.filter((over) => over > 0), [], 'every tab is read whole');
    }));
}

for (const size of ['1280x800', '390x844']) {
  for (const theme of THEMES) {
    test(`axe finds nothing in chapter two at ${size}, ${theme}`, () =>
      site.visit({ size, theme, fragment: '1/configmap/1', prepare }, async (page) => {
        await fast(page);
        const found = new Map();
        for (let scene = 1; scene <= SCENES.length; scene += 1) {
          await toScene(page, scene);
          await look(page, found, `scene ${scene}`);
          await next(page, 4);
          await look(page, found, `scene ${scene}, further on`);
        }
        await toScene(page, 8);
        await next(page, 2);
        for (const panel of await page.getByRole('tablist', { name: 'Details' }).getByRole('tab').all()) {
          await panel.click();
          await look(page, found, `panel ${await panel.innerText()}`);
        }
        assert.deepEqual([...found.values()], []);
      }));
  }
}
