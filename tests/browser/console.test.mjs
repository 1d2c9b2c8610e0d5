// The console: the article's session is typed, wrong and hostile lines are answered, and everything works by keyboard.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { look, prepare } from './axe.mjs';
import { SIZES, THEMES, openSite } from './page.mjs';
import { button, fast, read, still, toScene, until } from './hands.mjs';

const site = await openSite();
after(() => site.close());

const LABEL = 'managed-by=configmap-controller';
const line = (page) => page.getByLabel('Command line', { exact: true });
const printed = (page) => page.getByTestId('console');

/** Opens the console with its key. */
async function open(page) {
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('c');
  await until(page, () => document.activeElement.id === 'console-line');
}

/** Types a line and resolves to what is printed for it, line by line. */
async function type(page, text) {
  const before = await page.evaluate(() => Number(document.querySelector('.printed .said:last-child')?.dataset.n ?? -1));
  await line(page).fill(text);
  await line(page).press('Enter');
  await until(page, (before) => Number(document.querySelector('.printed .said:last-child')?.dataset.n ?? -1) > before, before);
  return output(page);
}

/** The last command's output. */
const output = (page) =>
  page.evaluate(() => [...document.querySelectorAll('.printed .said:last-child > :not(.typed)')].flatMap((part) => part.textContent.split('\n')));

const visit = (chapter, options, body) =>
  site.visit({ fragment: chapter === 2 ? '1/configmap/2' : '', ...options }, async (page, problems) => {
    await fast(page);
    await open(page);
    await body(page, problems);
  });

test('the article’s session can be typed: the label is peeled off, and is back after the loop ran', () =>
  visit(2, {}, async (page) => {
    assert.deepEqual(await type(page, 'kubectl create configmap greeting --from-literal=greeting=world'), ['configmap/greeting created']);
    await still(page);
    const [head, row] = await type(page, 'kubectl get configmap greeting --show-labels');
    assert.match(head, /^NAME +DATA +AGE +LABELS$/);
    assert.ok(row.endsWith(LABEL), row);
    assert.deepEqual(await type(page, 'kubectl label configmap greeting managed-by-'), ['configmap/greeting unlabeled']);
    await still(page);
    const [, again] = await type(page, 'kubectl get configmap greeting --show-labels');
    assert.ok(again.endsWith(LABEL), again);
    // It is in the link, and can be taken back.
    assert.match(await page.evaluate(() => location.hash), /new:greeting.*patch:greeting/);
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await open(page);
    assert.match((await type(page, 'get cm greeting'))[0], /^Error from server \(NotFound\): configmaps "greeting" not found$/);
  }));

test('a wrong line is answered as kubectl does, and nothing changes', () =>
  visit(1, {}, async (page) => {
    const before = await page.evaluate(() => location.hash);
    for (const [typed, answer] of [
      ['get pods', 'error: the server doesn\'t have a resource type "pods"'],
      ['get dbc nobody', 'Error from server (NotFound): databaseclusters.example.com "nobody" not found'],
      ['frobnicate', 'error: unknown command "frobnicate" for "kubectl"'],
      ['scale dbc nobody', 'error: required flag(s) "replicas" not set'],
    ]) {
      assert.equal((await type(page, typed))[0], answer);
      assert.equal(await printed(page).locator('.err').last().innerText().then((text) => text.split('\n')[0]), answer);
    }
    assert.equal(await page.evaluate(() => location.hash), before);
    assert.equal(await button(page, 'Undo').getAttribute('aria-disabled'), 'true');
  }));

test('Tab completes, offers, and then goes on: nobody is kept in the field', () =>
  visit(2, {}, async (page) => {
    await type(page, 'create configmap greeting');
    await line(page).pressSequentially('kubectl des');
    await page.keyboard.press('Tab');
    assert.equal(await line(page).inputValue(), 'kubectl describe ');
    await page.keyboard.type('conf');
    await page.keyboard.press('Tab');
    await page.keyboard.type('gr');
    await page.keyboard.press('Tab');
    assert.equal(await line(page).inputValue(), 'kubectl describe configmaps greeting ');
    // In the middle of a line.
    await line(page).fill('des cm');
    await page.evaluate(() => document.getElementById('console-line').setSelectionRange(3, 3));
    await page.keyboard.press('Tab');
    assert.equal(await line(page).inputValue(), 'describe cm');
    assert.equal(await page.evaluate(() => document.activeElement.selectionStart), 8);
    // Several ways: they are shown, and one is chosen by hand.
    await line(page).fill('de');
    await page.keyboard.press('Tab');
    const offers = page.getByRole('group', { name: 'What the word may become' });
    assert.deepEqual(await offers.getByRole('button').allInnerTexts(), ['delete', 'describe']);
    await offers.getByRole('button', { name: 'delete' }).click();
    assert.equal(await line(page).inputValue(), 'delete ');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'console-line');
    // The second Tab without anything new leaves, as does the first where there is nothing to complete.
    await line(page).fill('de');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    assert.notEqual(await page.evaluate(() => document.activeElement.id), 'console-line');
    await line(page).fill('');
    await line(page).press('Tab');
    assert.notEqual(await page.evaluate(() => document.activeElement.id), 'console-line');
    // Escape: what is offered goes first, then one is out.
    await line(page).fill('de');
    await line(page).press('Tab');
    await page.keyboard.press('Escape');
    await until(page, () => !document.querySelector('.offers button'));
    assert.equal(await page.evaluate(() => document.activeElement.id), 'console-line');
    await page.keyboard.press('Escape');
    await until(page, () => document.activeElement.textContent === 'Console');
  }));

test('what was typed before can be fetched back, and the page’s single keys rest meanwhile', () =>
  visit(1, {}, async (page) => {
    const before = await read(page);
    await type(page, 'get dbc');
    await type(page, 'get dbc -o name');
    await line(page).pressSequentially('nbt1 ?');
    assert.equal(await line(page).inputValue(), 'nbt1 ?');
    assert.equal((await read(page)).caption, before.caption);
    assert.equal(await page.getByRole('dialog').count(), 0);
    await line(page).fill('');
    for (const wanted of ['get dbc -o name', 'get dbc', 'get dbc']) {
      await line(page).press('ArrowUp');
      assert.equal(await line(page).inputValue(), wanted);
    }
    for (const wanted of ['get dbc -o name', '']) {
      await line(page).press('ArrowDown');
      assert.equal(await line(page).inputValue(), wanted);
    }
    await line(page).fill('half a line');
    await line(page).press('Control+c');
    assert.equal(await line(page).inputValue(), '');
    assert.match(await printed(page).innerText(), /half a line\^C/);
    await line(page).press('Control+l');
    await until(page, () => !document.querySelector('.printed .typed'));
    await line(page).press('ArrowUp');
    assert.equal(await line(page).inputValue(), 'get dbc -o name');
  }));

test('a watch prints what happens until Ctrl+C, and a remark says where time was turned back', () =>
  visit(2, {}, async (page) => {
    await type(page, 'create cm greeting');
    await still(page);
    await type(page, 'get cm greeting --show-labels -w');
    await type(page, 'label cm greeting managed-by-');
    await still(page);
    const rows = await printed(page).locator('.watched').allInnerTexts();
    const seen = rows.flatMap((text) => text.split('\n')).map((row) => row.includes(LABEL));
    assert.deepEqual(seen, [false, true]);
    await line(page).press('Control+c');
    await button(page, 'Stop watching').waitFor({ state: 'detached' });
    await type(page, 'label cm greeting managed-by-');
    await still(page);
    assert.equal(await printed(page).locator('.said:last-child .watched').count(), 0);
    const kept = await printed(page).innerText();
    await toScene(page, 2);
    assert.equal(await printed(page).innerText(), kept, 'what was printed stays');
    await type(page, 'get cm');
    assert.match(await printed(page).innerText(), /# Back at 1\.000 s\./);
  }));

test('a button writes its command into the console, and the arrow fetches it back', () =>
  site.visit({}, async (page) => {
    await fast(page);
    await toScene(page, 2);
    const title = await button(page, 'Scale up').getAttribute('title');
    await button(page, 'Scale up').click();
    await still(page);
    await open(page);
    assert.equal(await printed(page).locator('.typed code').last().innerText(), title);
    assert.deepEqual(await output(page), ['databasecluster.example.com/production-postgres patched']);
    await line(page).press('ArrowUp');
    assert.equal(await line(page).inputValue(), title);
    await line(page).press('Enter');
    await until(page, () => document.querySelectorAll('.printed .typed').length === 2);
    assert.deepEqual(await output(page), ['databasecluster.example.com/production-postgres patched (no change)']);
  }));

test('a manifest is applied through the editor, whose reader is loaded when it opens and not before', () => {
  const asked = [];
  return visit(2, { prepare: async (page) => page.on('request', (request) => asked.push(new URL(request.url()))) }, async (page) => {
    const reader = () => asked.filter((url) => /yaml/.test(url.pathname));
    assert.equal(reader().length, 0);
    await line(page).fill('kubectl apply -f -');
    await line(page).press('Enter');
    const manifest = page.getByLabel('Manifest', { exact: true });
    await manifest.waitFor();
    assert.match(await manifest.inputValue(), /^apiVersion: v1\n/);
    assert.equal(await page.evaluate(() => document.activeElement.id), 'console-manifest');
    await until(page, () => document.querySelector('.editor .go:not([aria-disabled])'));
    const named = ['yaml-reader-#.js', 'yaml-worker-#.js', 'yaml-worker_bg-#.wasm'];
    const names = reader().map((url) => url.pathname.split('/').at(-1).replace(/[0-9a-f]{16}/, '#'));
    assert.deepEqual(names.sort(), named, 'each is named by its content');

    await manifest.fill('kind: ConfigMap\n  apiVersion: v1');
    await button(page, 'Apply').click();
    await until(page, () => document.querySelector('.printed .err'));
    assert.match((await output(page))[0], /^error: error parsing STDIN: error converting YAML to JSON: yaml: line \d+: /);
    const two = (greeting) => ['a', 'b'].map((name) => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  labels: {tier: gold}\ndata:\n  greeting: "${greeting}" # so\n`).join('---\n');
    await manifest.fill(two('world'));
    await manifest.press('Control+Enter');
    await manifest.waitFor({ state: 'detached' });
    assert.deepEqual(await output(page), ['configmap/a created', 'configmap/b created']);
    await still(page);

    // Once more: the reader is there already, and so is what was in the editor.
    await line(page).fill('kubectl apply -f -');
    await line(page).press('Enter');
    assert.equal(await manifest.inputValue(), two('world'));
    await manifest.fill(two('moon'));
    await button(page, 'Apply').click();
    await manifest.waitFor({ state: 'detached' });
    assert.deepEqual(await output(page), ['configmap/a configured', 'configmap/b configured']);
    assert.equal(reader().length, 3);
    await still(page);
    assert.ok((await type(page, 'get cm a -o yaml')).includes('  greeting: moon'));

    await line(page).fill('apply -f -');
    await line(page).press('Enter');
    await manifest.fill(`a: ${'x'.repeat(64 * 1024)}`);
    assert.match(await page.locator('#console-manifest-state').innerText(), /longer than 64 KiB/);
    assert.equal(await button(page, 'Apply').getAttribute('aria-disabled'), 'true');
    await manifest.press('Escape');
    await manifest.waitFor({ state: 'detached' });
    assert.equal(await page.evaluate(() => document.activeElement.id), 'console-line');
  });
});

/** Lets the test hold back what the reader answers, and break it. */
const holdable = (page) =>
  page.addInitScript(() => {
    const Real = window.Worker;
    Object.assign(window, { held: [], hold: false, readers: [] });
    window.Worker = class extends Real {
      constructor(address) {
        super(address);
        window.readers.push(this);
      }

      set onmessage(listener) {
        const held = (event) => (window.hold && event.data !== 'ready' ? window.held.push(() => listener(event)) : listener(event));
        super.onmessage = listener && held;
      }
    };
  });

/** Opens the editor with a line, and resolves to it when what is in it can be applied. */
async function edit(page, text) {
  await line(page).fill('apply -f -');
  await line(page).press('Enter');
  const manifest = page.getByLabel('Manifest', { exact: true });
  await manifest.waitFor();
  if (text !== undefined) await manifest.fill(text);
  await page.locator('.editor .go:not([aria-disabled])').waitFor();
  return manifest;
}

const greeting = (name) => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n`;

test('what was edited or closed while it was read is not applied in place of what was applied after it', () =>
  visit(2, { prepare: holdable }, async (page) => {
    const answered = (count) => until(page, (count) => window.held.length === count, count);
    const release = () => page.evaluate(() => window.held.shift()());
    const told = () => page.locator('#console-manifest-state').innerText();
    await page.evaluate(() => (window.hold = true));
    const manifest = await edit(page, greeting('first'));
    await button(page, 'Apply').click();
    assert.equal(await told(), 'Reading…');
    await manifest.fill(greeting('second'));
    await button(page, 'Apply').click();
    await answered(2);
    await release();
    assert.equal(await told(), 'Reading…', 'the first text’s answer is nobody’s');
    await release();
    await manifest.waitFor({ state: 'detached' });
    assert.deepEqual(await output(page), ['configmap/second created']);

    await edit(page, greeting('third'));
    await button(page, 'Apply').click();
    await manifest.press('Escape');
    await manifest.waitFor({ state: 'detached' });
    await edit(page, greeting('fourth'));
    await button(page, 'Apply').click();
    await answered(2);
    await release();
    await release();
    await manifest.waitFor({ state: 'detached' });
    await still(page);
    const names = (await type(page, 'get cm -o name')).map((name) => name.replace('configmap/', ''));
    assert.deepEqual(names.filter((name) => /first|second|third|fourth/.test(name)), ['fourth', 'second']);
  }));

test('a reader that breaks down over a text is replaced, and the text can be applied again', () =>
  visit(2, { prepare: holdable }, async (page) => {
    await page.evaluate(() => (window.hold = true));
    const manifest = await edit(page, greeting('mended'));
    await button(page, 'Apply').click();
    await page.evaluate(() => window.readers[0].dispatchEvent(new ErrorEvent('error', { cancelable: true })));
    await until(page, () => /failed on this text, and a new one is here/.test(document.getElementById('console-manifest-state').textContent));
    assert.equal(await page.evaluate(() => window.readers.length), 2);
    await page.evaluate(() => (window.hold = false));
    await button(page, 'Apply').click();
    await manifest.waitFor({ state: 'detached' });
    assert.deepEqual(await output(page), ['configmap/mended created']);
  }));

test('the editor closes with its chapter, and what was in it waits there', () =>
  visit(1, {}, async (page) => {
    const written = '# written in chapter one';
    const manifest = await edit(page, written);
    const turn = (chapter) => page.getByRole('group', { name: 'Chapter', exact: true }).getByRole('button').nth(chapter - 1).click();
    await turn(2);
    await manifest.waitFor({ state: 'detached' });
    await edit(page);
    assert.match(await manifest.inputValue(), /^apiVersion: v1\n/);
    await turn(1);
    await manifest.waitFor({ state: 'detached' });
    await edit(page);
    assert.equal(await manifest.inputValue(), written);
  }));

test('Objects and the console show one object, and the same of it', async () => {
  for (const [chapter, kind, scene] of [[1, 'dbc', 2], [2, 'cm', 3]]) {
    await visit(chapter, {}, async (page) => {
      await toScene(page, scene);
      const [name] = await type(page, `get ${kind} -o name`);
      const printed = await type(page, `get ${kind} ${name.split('/')[1]} -o yaml`);
      await page.getByRole('tab', { name: 'Objects', exact: true }).click();
      const shown = await page.locator('[data-testid=objects] pre').first().textContent();
      const lines = shown.split('\n').map((line) => line.replace(/^≠ /, '  ').slice(chapter === 2 ? 2 : 0));
      assert.deepEqual(lines.filter(Boolean), printed);
    });
  }
});

test('the reader needs no network on a second visit', () =>
  site.visit({ context: { serviceWorkers: 'allow' } }, async (page, problems) => {
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.context().setOffline(true);
    await page.reload();
    await page.waitForSelector('html[data-ready="true"]', { state: 'attached' });
    await open(page);
    await line(page).fill('apply -f -');
    await line(page).press('Enter');
    await page.locator('.editor .go:not([aria-disabled])').waitFor();
    await button(page, 'Apply').click();
    await page.locator('.editor').waitFor({ state: 'detached' });
    assert.match((await output(page))[0], /production-postgres created$/);
    problems.length = 0; // the worker's own look for a new release fails without a network
  }));

test('hostile lines are shown as text, in bounds', () =>
  visit(2, {}, async (page) => {
    const bait = '<img src=x onerror=window.bitten=1><script>window.bitten=1</script>';
    for (const typed of [bait, `create cm "${bait}"`, `create cm a --from-literal='k=${bait}'`, 'get cm \u202egnp', 'create cm ü', `get cm ${'x'.repeat(40_000)}`, "get 'cm"]) {
      await type(page, typed);
    }
    await type(page, 'get cm a -o yaml');
    const found = await page.evaluate(() => ({
      bitten: window.bitten,
      made: document.querySelectorAll('img, body script, [onerror]').length,
      turned: /[\u202a-\u202e\u0000-\u0008]/.test(document.querySelector('.printed').textContent),
      wide: document.documentElement.scrollWidth > innerWidth,
    }));
    assert.deepEqual(found, { bitten: undefined, made: 0, turned: false, wide: false });
    for (let press = 0; press < 60; press += 1) await type(page, 'help');
    const lines = await page.evaluate(() => document.querySelector('.printed').innerText.split('\n').length);
    assert.ok(lines < 1400, `${lines} lines are kept`);
  }));

test('what is printed is read out once, and what was printed before is not', () =>
  visit(1, {}, async (page) => {
    const region = page.getByRole('log', { name: 'What was printed' });
    await page.evaluate(() => {
      window.added = [];
      // Of what comes at once each text counts once, whether it comes alone or within something.
      const look = (changes) => {
        const texts = new Set();
        const walk = (node) => (node.nodeType === Node.TEXT_NODE ? texts.add(node) : node.childNodes.forEach(walk));
        changes.forEach(({ addedNodes }) => addedNodes.forEach(walk));
        texts.forEach((text) => window.added.push(text.textContent));
      };
      new MutationObserver(look).observe(document.querySelector('[role=log]'), { childList: true, subtree: true, characterData: true });
    });
    const times = (words) => page.evaluate((words) => window.added.filter((text) => text.includes(words)).length, words);
    await type(page, 'get nodes');
    assert.equal(await times('resource type "nodes"'), 1);
    await type(page, 'get pods');
    assert.equal(await times('resource type "pods"'), 1);
    assert.equal(await times('resource type "nodes"'), 1, 'what was printed before is not printed again');
    assert.equal(await region.getAttribute('aria-live'), null, 'a log is polite by itself');
  }));

for (const size of [...SIZES, '320x640']) {
  for (const theme of THEMES) {
    test(`the console is in order at ${size}, ${theme}`, () =>
      site.visit({ size, theme, fragment: '1/configmap/2', prepare }, async (page) => {
        const found = new Map();
        const check = async (where) => {
          await look(page, found, where, '.dock');
          const { wide, small } = await page.evaluate(() => {
            const coarse = matchMedia('(pointer: coarse)').matches;
            const boxes = [...document.querySelectorAll('.console button, .console input')].map((one) => one.getBoundingClientRect()).filter((box) => box.width);
            return {
              wide: document.documentElement.scrollWidth - innerWidth,
              small: coarse ? boxes.filter((box) => box.height < 43.5 || box.width < 43.5).length : 0,
            };
          });
          assert.deepEqual([...found.values()], []);
          assert.ok(wide <= 0, `${where}: ${wide} px too wide`);
          assert.equal(small, 0, `${where}: too small for a finger`);
        };
        await page.getByRole('tab', { name: 'Console', exact: true }).click();
        await check('welcome');
        await type(page, 'create configmap greeting --from-literal=greeting=world');
        await type(page, 'get cm -w -o yaml');
        await type(page, 'get pods');
        await line(page).fill('de');
        await line(page).press('Tab');
        await check('offers, a watch, an error');
        await line(page).fill('apply -f -');
        await line(page).press('Enter');
        await page.locator('.editor .go:not([aria-disabled])').waitFor();
        await check('the editor');
      }));
  }
}
