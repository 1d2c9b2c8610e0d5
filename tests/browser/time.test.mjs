// Time travel: the link that holds a run, what is taken along of it, predicted, compared and followed, and the way
// through a long one.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { openSite } from './page.mjs';
import { button, fast, log, midBurst, next, read, seek, still, toScene, until } from './hands.mjs';
import { openTerminal } from './terminal.mjs';

const site = await openSite();
after(() => site.close());
const terminal = await openTerminal();

/** Other work on the machine, and slow machines: what takes longer than this much more is the page's fault. */
const SLACK = 4;

const fragment = (page) => decodeURIComponent(new URL(page.url()).hash.slice(1));
const panel = (page, name) => page.getByRole('tablist', { name: 'Details' }).getByRole('tab', { name, exact: true });

/** Opens *Share*, calls `body(dialog)` and closes it. */
async function share(page, body) {
  await button(page, 'Share').click();
  const dialog = page.getByRole('dialog', { name: 'Share exactly this' });
  await dialog.waitFor();
  const result = await body(dialog);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await dialog.waitFor({ state: 'detached' });
  return result;
}

/** The link that Share shows. */
const shared = (page) => share(page, (dialog) => dialog.getByRole('textbox', { name: 'Link' }).inputValue());

/** Resolves, to the fragment, when the address bar holds exactly what Share would give. */
async function written(page) {
  const link = await shared(page);
  await until(page, (link) => location.href === link, link);
  return fragment(page);
}

/** The file that a button of Share makes, as bytes. */
const exported = (page, name) =>
  share(page, async (dialog) => {
    const [download] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name }).click()]);
    return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
  });

/** All that a link must bring back: counters, clock, caption, scene, step, and the pictures and words around them. */
async function everything(page) {
  const seen = await read(page);
  const around = await page.evaluate(() => {
    const all = (selector, of) => [...document.querySelectorAll(selector)].map(of);
    return {
      stages: all('.lanes', (it) => [...it.querySelectorAll('[data-testid^=lane-]')].map((lane) => lane.textContent)),
      tokens: all('.token', (it) => `${it.dataset.token} ${it.dataset.record} ${it.style.transform}`),
      told: all('ol.beats li', (it) => it.textContent),
      variant: all('.variant', (it) => it.textContent),
      compared: all('.versus dl, .versus .verdict', (it) => it.textContent),
      seed: document.querySelector('input[aria-label=Seed]')?.value,
      story: ['ariaValueNow', 'ariaValueMax', 'ariaValueText'].map((name) => document.querySelector('[role=slider]')[name]),
    };
  });
  const queue = await page.getByRole('button', { pressed: true }).allTextContents();
  return { ...seen, ...around, pressed: queue, lines: await log(page) };
}

const RUNS = {
  'a step of the burst, and a fact further': async (page) => {
    await toScene(page, 4);
    await next(page, 3);
    await button(page, 'Step forward').click();
    await still(page);
  },
  'a step within the variant': async (page) => {
    await toScene(page, 3);
    await next(page, 7);
    assert.equal(await page.locator('.variant').count(), 1);
  },
  'the other queue': async (page) => {
    await button(page, 'Plain channel').click();
    await toScene(page, 4);
    await next(page, 2);
  },
  'a knob and a seed': async (page) => {
    await toScene(page, 4);
    await panel(page, 'What if').click();
    await button(page, 'Observing takes 20 ms').click();
    const seed = page.getByLabel('Seed', { exact: true });
    await seed.fill('7');
    await seed.press('Enter');
    await panel(page, 'Log').click();
    await next(page, 3);
  },
  'what the visitor did, and then a step back in time': async (page) => {
    await toScene(page, 3);
    await next(page);
    for (const name of ['Scale up', 'Fail next upgrade', 'Kill a replica']) {
      await button(page, name).click();
      // A fact further, instead of waiting for the loop to rest.
      await button(page, 'Step forward').click();
      await still(page);
    }
    for (let step = 0; step < 2; step += 1) await button(page, 'Step back').click();
  },
  'a comparison': async (page) => {
    await toScene(page, 4);
    await button(page, 'Compare').click();
    await until(page, () => document.querySelectorAll('.lanes').length === 2);
    await next(page, 3);
  },
};

for (const [name, make] of Object.entries(RUNS)) {
  test(`the address bar holds the run, and opening it anywhere brings back exactly this: ${name}`, () => {
    let kept;
    return site
      .visit({}, async (page) => {
        await fast(page);
        await make(page);
        kept = { link: await written(page), seen: await everything(page) };
        assert.match(kept.link, /^1\/control-loop\/[1-6]\?[\w/?&=,:.-]+$/);
      })
      .then(() =>
        site.visit({ fragment: kept.link }, async (page) => {
          assert.deepEqual(await everything(page), kept.seen, kept.link);
          assert.equal(await written(page), kept.link, 'and it is the same link again');
          assert.equal(await page.getByRole('alert').count(), 0);
        }),
      );
  });
}

test('a pause while it plays is brought back: counters, clock, caption, scene and step', () => {
  let kept;
  const told = async (page) => {
    const { revision, events, merged, reconciles, retries, clock, caption, scene, place } = await read(page);
    return { revision, events, merged, reconciles, retries, clock, caption, scene, place, lines: await log(page) };
  };
  return site
    .visit({}, async (page) => {
      await toScene(page, 2);
      await button(page, 'Play').click();
      await until(page, () => document.querySelector('[data-testid=revision]').textContent === '2');
      await button(page, 'Pause').click();
      kept = { link: await written(page), seen: await told(page) };
    })
    .then(() =>
      site.visit({ fragment: kept.link }, async (page) => {
        assert.deepEqual(await told(page), kept.seen, kept.link);
        assert.equal(await written(page), kept.link);
      }),
    );
});

/** Notes when the page writes the address bar. */
const noteWrites = (page) =>
  page.addInitScript(() => {
    window.writes = [];
    for (const name of ['replaceState', 'pushState']) {
      const real = history[name];
      history[name] = function write(...given) {
        window.writes.push({ name, at: performance.now() });
        return real.apply(this, given);
      };
    }
  });

test('the address bar is written where the cursor rests, at most once a second however fast one acts', () =>
  site.visit({ prepare: noteWrites }, async (page) => {
    await toScene(page, 4);
    let presses = 0;
    while ((await page.evaluate(() => window.writes.length)) < 4) {
      await page.keyboard.press('ArrowRight');
      presses += 1;
    }
    assert.ok(presses > 12, `${presses} presses`);
    await still(page);
    await written(page);
    const times = await page.evaluate(() => window.writes.map(({ at }) => at));
    const gaps = times.slice(1).map((at, index) => at - times[index]);
    assert.ok(gaps.every((gap) => gap > 990), gaps.map(Math.round).join(' '));
  }));

test('acting is written although it plays', () =>
  site.visit({}, async (page) => {
    await page.getByLabel('Speed', { exact: true }).selectOption('0.1');
    await toScene(page, 4);
    await button(page, 'Play').click();
    await button(page, 'Scale up').click();
    await page.waitForFunction(() => location.hash.includes('do='), undefined, { timeout: 3000 });
    assert.ok((await read(page)).playing);
  }));

test('a browser that refuses to write the address bar is no hindrance', () => {
  const prepare = (page) =>
    page.addInitScript(() => {
      window.refused = 0;
      history.replaceState = history.pushState = () => {
        window.refused += 1;
        throw new DOMException('too often', 'SecurityError');
      };
    });
  return site.visit({ prepare }, async (page) => {
    await toScene(page, 4);
    await next(page, 2);
    await until(page, () => window.refused >= 2);
    assert.match((await read(page)).place, /^Scene 4 of 6 · step 3 of/);
    assert.match(await shared(page), /#1\/control-loop\/4\?/);
  });
});

/** Scene 1 as a bare visit shows it, with an alert that says `part`. */
async function refused(page, part) {
  assert.match(await page.getByRole('alert').innerText(), part);
  const seen = await read(page);
  assert.match(seen.place, /^Scene 1 of 6 · step 1 of/);
  // Nothing has happened; the first write is due at 0.1 s.
  assert.deepEqual([seen.revision, seen.events, seen.reconciles, seen.clock, seen.playing], [0, 0, 0, 0.1, false]);
}

const MANY = Array.from({ length: 201 }, (_, index) => `${index + 1}s:restart`).join(',');
const BROKEN = [
  ['2/control-loop/1', /format number “2”.*begin with 1\//],
  ['hello', /format number “hello”/],
  ['1/control-lop/1', /chapter “control-lop”.*write control-loop/],
  ['1/control-loop/7', /scene “7”.*1 to 6/],
  ['1/control-loop/4?queue=heap', /queue “heap”.*client-go or channel/],
  ['1/control-loop/4?obs=20ms', /setting “obs”/],
  ['1/control-loop/4?observe=20', /observe “20”.*duration such as 20ms/],
  ['1/control-loop/4?observe=61s', /observe “61s”/],
  ['1/control-loop/4?workers=9', /workers “9”.*1 to 8/],
  ['1/control-loop/4?seed=1&seed=2', /second seed/],
  ['1/control-loop/4?seed=-1', /seed “-1”.*whole number/],
  ['1/control-loop/4?at=5s', /at “5s”.*number of facts/],
  ['1/control-loop/4?step=99', /step.*scene 4 has fewer steps/],
  ['1/control-loop/4?variant-at=5s.1', /variant.*scene 4 has no variant/],
  ['1/control-loop/4?do=5s:scale:nobody:3', /do “5s:scale:nobody:3”/],
  ['1/control-loop/4?do=9s:restart,5s:restart', /do “5s:restart”.*order of time/],
  [`1/control-loop/4?do=${MANY}`, /do “201s:restart”.*at most 200/],
  ['1/control-loop/4?do=5s:burst:production-postgres:9999999999:1ns', /do “5s:burst/],
  ['1/control-loop/4?seed=%zz', /percent signs.*copy the link once more/],
  [`1/control-loop/4?at=${'9'.repeat(5000)}`, /at “9{40}…”/],
  [`1/control-loop/4?fail=${'1,'.repeat(20_000)}1`, /length.*at most 32768/],
];

test('a broken, a hostile and an oversized link say which part it is, and the first scene opens', () =>
  site.visit({ fragment: BROKEN[0][0] }, async (page) => {
    await refused(page, BROKEN[0][1]);
    // The others are put into the address bar of the page that is open.
    for (const [broken, part] of BROKEN.slice(1)) {
      await page.evaluate((broken) => (location.hash = broken), broken);
      await until(page, (words) => new RegExp(words).test(document.querySelector('[role=alert]')?.textContent), part.source);
      await refused(page, part);
      const { length } = await page.getByRole('alert').innerText();
      assert.ok(length < 400, `${length} letters say what is wrong`);
    }
    await page.evaluate(() => (location.hash = '1/control-loop/4?queue=channel'));
    await page.getByRole('alert').waitFor({ state: 'detached' });
    assert.deepEqual([(await read(page)).scene, (await read(page)).reconciles], [4, 6]);
  }));

for (const [kind, index] of [['broken', 4], ['hostile', 17], ['oversized', 20]]) {
  test(`a page that is opened with a link that is ${kind} says so, can be told that it was read, and goes on`, () =>
    site.visit({ fragment: BROKEN[index][0] }, async (page) => {
      await refused(page, BROKEN[index][1]);
      await button(page, 'Dismiss').click();
      await page.getByRole('alert').waitFor({ state: 'detached' });
      await next(page, 2);
      assert.match((await read(page)).place, /step 3 of/);
      assert.match(await written(page), /^1\/control-loop\/1\?at=/);
    }));
}

test('a link that was percent-encoded on its way is read all the same', () =>
  site.visit({ fragment: '1%2Fcontrol-loop%2F4%3Fqueue%3Dchannel%26seed%3D7' }, async (page) => {
    assert.equal(await page.getByRole('alert').count(), 0);
    assert.equal((await read(page)).scene, 4);
    assert.equal(await button(page, 'Plain channel').getAttribute('aria-pressed'), 'true');
    assert.equal(await page.getByLabel('Seed', { exact: true }).inputValue(), '7');
  }));

test('Back and Forward go from scene to scene, to where each was left, and not through every click', () =>
  site.visit({}, async (page) => {
    await fast(page);
    const length = () => page.evaluate(() => history.length);
    const begin = await length();
    const left = [];
    for (const [scene, steps] of [[1, 3], [4, 3], [2, 2], [3, 7]]) {
      await toScene(page, scene);
      await next(page, steps);
      await button(page, 'Step back').click();
      await button(page, 'Step forward').click();
      await still(page);
      await written(page);
      left.push(await everything(page));
    }
    assert.equal((await length()) - begin, 3, 'an entry for each further scene');
    const go = async (way, place) => {
      await page.evaluate((way) => history.go(way), way);
      await until(page, (scene) => document.getElementById(`tab-${scene}`).ariaSelected === 'true', left[place].scene);
      const { story, ...seen } = await everything(page);
      const { story: then, ...expected } = left[place];
      assert.deepEqual(seen, expected);
      assert.equal(story[2], then[2]);
    };
    for (const place of [2, 1, 0]) await go(-1, place);
    for (const place of [1, 2, 3]) await go(1, place);
    await go(-3, 0);
    // What was ahead is dropped by going on elsewhere.
    await toScene(page, 6);
    await written(page);
    assert.equal((await length()) - begin, 1);
  }));

test('Share shows the link and a snippet for an article, and copies them', () =>
  site.visit({ context: { permissions: ['clipboard-read', 'clipboard-write'] } }, async (page) => {
    await button(page, 'Plain channel').click();
    await toScene(page, 4);
    await next(page, 2);
    const address = await written(page);
    await share(page, async (dialog) => {
      const link = await dialog.getByRole('textbox', { name: 'Link' }).inputValue();
      assert.equal(link, `${site.url}#${address}`);
      const snippet = await dialog.getByRole('textbox', { name: 'For an article' }).inputValue();
      const source = `${site.url}?embed#${address}`.replaceAll('&', '&amp;');
      assert.match(snippet, /^<iframe .*title="Loopscope".*><\/iframe>$/);
      assert.ok(snippet.includes(` src="${source}" `), snippet);
      for (const [place, text] of [link, snippet].entries()) {
        await dialog.getByRole('button', { name: /^Cop(y|ied)$/ }).nth(place).click();
        assert.equal(await page.evaluate(() => navigator.clipboard.readText()), text);
      }
    });
  }));

for (const [how, refuse] of [
  ['is refused', () => { navigator.clipboard.writeText = () => Promise.reject(new Error('refused')); }],
  ['is not there', () => Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined })],
]) {
  test(`where the clipboard ${how}, Copy says that the link is selected and no more`, () =>
    site.visit({ prepare: (page) => page.addInitScript(refuse) }, async (page) => {
      await share(page, async (dialog) => {
        await button(dialog, 'Copy').first().click();
        await button(dialog, 'Selected').waitFor();
        const link = await dialog.getByRole('textbox', { name: 'Link' }).inputValue();
        assert.equal(await page.evaluate(() => getSelection().toString()), link);
      });
    }));
}

for (const name of ['a step within the variant', 'the other queue', 'what the visitor did, and then a step back in time', 'a comparison']) {
  test(`the records that are taken along are what the terminal prints for the link, byte for byte: ${name}`, () =>
    site.visit({}, async (page) => {
      await fast(page);
      await RUNS[name](page);
      const link = await written(page);
      const { name: file, bytes } = await exported(page, /JSON Lines/);
      assert.match(file, /\.jsonl$/);
      assert.ok(bytes.length > 1000);
      assert.equal(bytes.toString(), (await terminal('--link', link, '--json')).toString());
      assert.ok(bytes.equals(await terminal('--link', `${site.url}#${link}`, '--json')), 'and for the whole address');
    }));
}

/** Checks a trace as a viewer reads it; resolves to its stretches, by the name of their track. */
function checkTrace(trace) {
  assert.ok(Array.isArray(trace.traceEvents));
  const tracks = new Map();
  const stretches = new Map();
  const flows = new Map();
  let latest = 0;
  for (const event of trace.traceEvents) {
    const { ph, name, tid, ts, dur } = event;
    assert.ok(typeof name === 'string' && Number.isFinite(ts) && Number.isInteger(event.pid), JSON.stringify(event));
    if (ph === 'M') {
      if (name === 'thread_name') tracks.set(tid, event.args.name);
      continue;
    }
    assert.ok(tracks.has(tid), `track ${tid} was named before: ${JSON.stringify(event)}`);
    assert.ok(ts >= latest, `in order of time: ${JSON.stringify(event)} after ${latest}`);
    latest = ts;
    if (ph === 'X') {
      assert.ok(dur >= 0, JSON.stringify(event));
      const open = stretches.get(tid) ?? [];
      stretches.set(tid, open);
      // Whole nanoseconds, so that nothing is lost in sums.
      open.push({ name, from: Math.round(ts * 1000), to: Math.round((ts + dur) * 1000) });
    } else if (ph === 's' || ph === 'f') {
      flows.set(event.id, (flows.get(event.id) ?? '') + ph);
    } else {
      assert.equal(ph, 'i', JSON.stringify(event));
    }
  }
  for (const [tid, all] of stretches) {
    const open = [];
    for (const it of all) {
      while (open.length && open.at(-1).to <= it.from && !(open.at(-1).to === it.from && it.from === it.to)) open.pop();
      const around = open.at(-1);
      assert.ok(!around || it.to <= around.to, `${tracks.get(tid)}: ${JSON.stringify(it)} leaves ${JSON.stringify(around)}`);
      it.depth = open.length;
      open.push(it);
    }
  }
  for (const [id, ends] of flows) assert.equal(ends, 'sf', `arrow ${id} begins and then ends`);
  return { stretches: new Map([...stretches].map(([tid, all]) => [tracks.get(tid), all])), arrows: flows.size };
}

test('the trace that is taken along is JSON, in order of time, and what is in a stretch ends in it', () =>
  site.visit({}, async (page) => {
    await fast(page);
    for (const queue of ['client-go queue', 'Plain channel']) {
      await button(page, queue).click();
      // In the middle of much, and when the burst is over.
      if (queue === 'Plain channel') await toScene(page, 5);
      else await midBurst(page);
      const { reconciles } = await read(page);
      const { name, bytes } = await exported(page, /Trace/);
      assert.match(name, /\.json$/);
      const trace = JSON.parse(bytes);
      const { stretches, arrows } = checkTrace(trace);
      const worker = [...stretches].find(([track]) => /^Reconcile/.test(track))[1];
      assert.equal(worker.filter((it) => it.depth === 0).length, reconciles, 'a stretch for each reconcile');
      assert.ok(worker.some((it) => it.depth > 0), 'with its sections in it');
      assert.ok(arrows > 10, `${arrows} arrows along causes`);
      for (const track of [/^Watch/, /^Work queue: ready/, /^Reconcile/]) assert.ok([...stretches.keys()].some((name) => track.test(name)), `${track} is a track`);
      assert.equal(trace.otherData.link, await written(page));
    }
  }));

const ask = (page) => page.getByRole('group', { name: 'Predict' });
const said = (page) => ask(page).getByRole('status');

/** To the scene's last step, faster than it plays: a click finishes the step that is under way. */
async function toLastStep(page) {
  for (;;) {
    const [step, steps] = (await read(page)).place.match(/step (\d+) of (\d+)/).slice(1).map(Number);
    if (step === steps) return;
    assert.equal(await ask(page).getByText(/As you predicted|The run says/).count(), 0, `not before the end: step ${step} of ${steps}`);
    await button(page, 'Next step').click();
  }
}

for (const [queue, right, wrong] of [['client-go queue', '3', '10'], ['Plain channel', '10', '2']]) {
  test(`Predict: with the ${queue} the burst’s answer is ${right}, and the page says at the end who was right`, () =>
    site.visit({}, async (page) => {
      await fast(page);
      await button(page, queue).click();
      for (const [guess, verdict] of [[right, 'As you predicted.'], [wrong, `The run says: ${right}.`]]) {
        await toScene(page, 4);
        await ask(page).getByText('How many times will Reconcile() run?').waitFor();
        const choice = ask(page).getByRole('button', { name: guess, exact: true });
        await choice.focus();
        await page.keyboard.press('Enter');
        assert.equal(await said(page).innerText(), 'Noted. Go on and see.');
        assert.equal(await choice.getAttribute('aria-pressed'), 'true');
        await toLastStep(page);
        assert.equal(await said(page).innerText(), verdict);
        assert.match(await ask(page).locator('.right').innerText(), new RegExp(`^${right}\\b`));
      }
      await toScene(page, 5);
      assert.equal((await read(page)).reconciles - 6, Number(right), 'the number of the run');
    }));
}

test('Predict: the upgrade that fails is asked about too, and Skip takes one question away', () =>
  site.visit({}, async (page) => {
    await fast(page);
    await toScene(page, 3);
    await ask(page).getByRole('button', { name: /hands the key out again, after 5 ms/ }).click();
    await toScene(page, 4);
    await ask(page).getByRole('button', { name: 'Skip' }).click();
    await ask(page).waitFor({ state: 'detached' });
    await next(page, 2);
    assert.equal(await ask(page).count(), 0, 'skipped');
    await toScene(page, 2);
    await ask(page).waitFor();
    await toLastStep(page);
    assert.equal(await ask(page).count(), 0, 'too late to predict what was seen');
    await toScene(page, 3);
    assert.equal(await said(page).innerText(), 'Noted. Go on and see.');
    while (!/waits on the shelf/.test((await read(page)).caption)) await button(page, 'Next step').click();
    assert.equal(await said(page).innerText(), 'As you predicted.');
  }));

test('Predict: an answer stays the visitor’s, or is asked for again, when another queue changes the choice', () =>
  site.visit({}, async (page) => {
    await fast(page);
    await toScene(page, 4);
    await ask(page).getByRole('button', { name: '3', exact: true }).click();
    await button(page, 'Plain channel').click();
    await ask(page).getByRole('button', { name: '10', exact: true }).waitFor();
    const pressed = await ask(page).getByRole('button', { pressed: true }).allInnerTexts();
    assert.ok(pressed.every((text) => text === '3'), `the visitor said 3 and nothing else, not ${pressed}`);
  }));

const versus = (page) => page.getByRole('region', { name: 'Compare' });
const stages = (page) => page.locator('.lanes');
/** The counters of both runs, in the strip between them. */
const pair = async (page, name) => {
  const text = (await versus(page).locator('dl').innerText()).replace(/\s+/g, ' ');
  return text.match(new RegExp(`${name} (\\d+) ?: ?(\\d+)`)).slice(1).map(Number);
};
/** Chooses the knob that is different, and perhaps its value below. */
const choose = async (page, words, value) => {
  const select = versus(page).getByRole('combobox', { name: 'What is different' });
  const label = (await select.locator('option').allTextContents()).find((option) => words.test(option));
  assert.ok(label, `there is a choice like ${words}`);
  await select.selectOption({ label });
  if (value === undefined) return;
  const field = versus(page).getByLabel('is', { exact: true });
  await field.fill(value);
  await field.press('Enter');
};

test('Compare: 12 reconciles against 19, in one sentence, with one clock, until the comparison is ended', () =>
  site.visit({}, async (page) => {
    await fast(page);
    await toScene(page, 4);
    await button(page, 'Compare').click();
    await until(page, () => document.querySelectorAll('.lanes').length === 2);
    assert.equal(await button(page, 'Compare').getAttribute('aria-pressed'), 'true');
    await versus(page).getByText(/12 reconciles against 19: 7 more/).waitFor();
    assert.deepEqual(await pair(page, 'reconciles'), [6, 6]);
    assert.equal(await page.getByRole('slider').count(), 1, 'one cursor');
    await button(page, 'All').click();
    await seek(page, 1);
    assert.deepEqual(await pair(page, 'reconciles'), [12, 19]);
    assert.deepEqual(await pair(page, 'merged'), [7, 0]);
    const end = await read(page);
    assert.deepEqual([end.reconciles, end.revision], [12, 15]);
    await button(page, 'End comparison').click();
    await until(page, () => document.querySelectorAll('.lanes').length === 1);
    assert.equal(await versus(page).count(), 0);
    assert.equal(await button(page, 'Compare').getAttribute('aria-pressed'), 'false');
    assert.doesNotMatch(await written(page), /beside/);
    const after = await read(page);
    assert.deepEqual([after.clock, after.reconciles], [end.clock, end.reconciles]);
    await button(page, 'Compare').click();
    await until(page, () => document.querySelectorAll('.lanes').length === 2);
    await button(page, 'Compare').click();
    await until(page, () => document.querySelectorAll('.lanes').length === 1);
  }));

test('Compare: putting a run beside, and taking it away, leaves the clock and the counters where they are', () =>
  site.visit({}, async (page) => {
    for (const scene of [1, 4]) {
      await toScene(page, scene);
      const { caption, clock, events, reconciles } = await read(page);
      for (const count of [2, 1]) {
        await button(page, 'Compare').click();
        await until(page, (count) => document.querySelectorAll('.lanes').length === count, count);
        const seen = await read(page);
        assert.deepEqual([seen.caption, seen.clock, seen.events, seen.reconciles], [caption, clock, events, reconciles]);
      }
    }
  }));

test('Compare: where observing is as fast as the writes come, the difference vanishes', () =>
  site.visit({}, async (page) => {
    await toScene(page, 4);
    await button(page, 'Compare').click();
    await choose(page, /observ/i, '20');
    await versus(page).getByText(/12 reconciles against 19: 7 more/).waitFor();
    // A plain channel looks once for each event, however fast it looks.
    await button(page, 'Plain channel').click();
    await versus(page).getByText(/19 reconciles: here the difference vanishes/).waitFor();
    await button(page, 'End comparison').click();
    await versus(page).waitFor({ state: 'detached' });
    // And client-go's queue has nothing to merge, where nothing comes meanwhile.
    await button(page, 'client-go queue').click();
    await panel(page, 'What if').click();
    await button(page, 'Observing takes 20 ms').click();
    await button(page, 'Compare').click();
    await choose(page, /queue/i);
    await versus(page).getByText(/19 reconciles: here the difference vanishes/).waitFor();
  }));

const following = (page) => page.getByRole('status').filter({ hasText: 'Following' });
/** How many facts belong to what is followed. */
const belonging = async (page) => Number((await following(page).innerText()).match(/(\d+) facts/)[1]);

test('Follow: an object, a line of the log, everything about its key, and Esc', () =>
  site.visit({}, async (page) => {
    await fast(page);
    await toScene(page, 4);
    await next(page, 4);

    await page.getByTestId('lane-store').getByRole('button', { name: /production-postgres/ }).first().click();
    await following(page).waitFor();
    const object = await belonging(page);
    assert.ok(object > 1, `${object} facts belong to the object`);
    await page.keyboard.press('Escape');
    await following(page).waitFor({ state: 'detached' });
    assert.equal(await page.locator('.log .lit, .log .unlit').count(), 0);

    const line = page.getByRole('log').getByRole('button').filter({ hasText: 'marked dirty' }).first();
    const words = (await line.locator('span').innerText()).replace(/\(.*/, '').trim();
    await line.focus();
    await page.keyboard.press('Enter');
    await following(page).waitFor();
    assert.ok((await following(page).innerText()).includes(words), words);
    const life = await belonging(page);
    assert.ok(life > 1, `${life} facts belong to the line`);
    assert.match(await line.locator('xpath=..').getAttribute('class'), /\blit\b/);
    assert.ok((await page.locator('.log .unlit').count()) > 0, 'everything else steps back');

    await button(page, 'Everything about this key').click();
    await following(page).getByText('everything about').waitFor();
    const all = await belonging(page);
    assert.ok(all > life && all > object, `${all} facts are about the key, ${life} belong to the line and ${object} to the object`);
    assert.equal(await button(page, 'Everything about this key').count(), 0);
    await button(page, 'Stop following').click();
    await following(page).waitFor({ state: 'detached' });
  }));

test('what is followed goes on as the run is played on', () => {
  const bursts = Array.from({ length: 10 }, (_, index) => `${90 + index * 30}s:burst:production-postgres:500:20ms`);
  return site.visit({ fragment: `1/control-loop/6?do=60s:create:production-postgres:1:15.4,${bursts.join(',')}` }, async (page) => {
    await button(page, 'All').click();
    await seek(page, 0.99999);
    await page.getByTestId('lane-store').getByRole('button', { name: /production-postgres/ }).first().click();
    await button(page, 'Everything about this key').click();
    await following(page).getByText('everything about').waitFor();
    const known = await belonging(page);
    await button(page, 'Play').click();
    await until(page, (known) => Number(document.querySelector('.followed').innerText.match(/(\d+) facts/)[1]) > known, known);
    await button(page, 'Pause').click();
    await still(page);
    assert.ok((await page.locator('.log .lit').count()) > 0);
    assert.equal(await page.locator('.log .unlit').filter({ hasText: 'production-postgres' }).count(), 0);
  });
});

test('seeking anywhere in a run of 100,000 facts takes the page less than 16 ms of script', (t) => {
  const bursts = Array.from({ length: 33 }, (_, index) => `${90 + index * 30}s:burst:production-postgres:500:20ms`);
  const link = `1/control-loop/6?do=60s:create:production-postgres:1:15.4,${bursts.join(',')}&at=1079s.99999`;
  return site.visit({ fragment: link }, async (page) => {
    assert.equal(await page.getByRole('alert').count(), 0);
    const facts = Number((await written(page)).match(/[?&]at=[\d.]+s\.(\d+)/)[1]);
    assert.ok(facts > 95_000, `${facts} facts`);
    await button(page, 'All').click();
    const seen = await page.evaluate(async () => {
      const strip = document.querySelector('[role=slider]');
      const box = strip.getBoundingClientRect();
      const clock = () => document.querySelector('[data-testid=clock]').textContent;
      const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      const { port1, port2 } = new MessageChannel();
      const turn = () =>
        new Promise((done) => {
          port1.onmessage = done;
          port2.postMessage(0);
        });
      const seeks = [];
      for (let nth = 0; nth < 20; nth += 1) {
        // All over the strip, each far from the one before.
        const share = ((nth * 7 + 3) % 20) / 20 + 0.01;
        const at = { clientX: box.left + box.width * share, clientY: box.top + 4, bubbles: true, button: 0, pointerId: 1 };
        const before = clock();
        const begin = performance.now();
        strip.dispatchEvent(new PointerEvent('pointerdown', at));
        // What the page draws it draws in microtasks, or in a task of its own where that would take long.
        for (let microtask = 0; microtask < 50; microtask += 1) await null;
        while (clock() === before) await turn();
        const took = performance.now() - begin;
        strip.dispatchEvent(new PointerEvent('pointerup', at));
        await frame();
        seeks.push({ share, took, clock: clock() });
      }
      return seeks;
    });
    const times = seen.map(({ took }) => took).toSorted((a, b) => a - b);
    const [fastest, median, slowest] = [times[0], times[10], times[19]].map((time) => time.toFixed(1));
    t.diagnostic(`seeking in ${facts} facts: ${median} ms at the median of 20, ${fastest} to ${slowest} ms`);
    assert.equal(new Set(seen.map(({ clock }) => clock)).size, 20, 'each went somewhere else');
    const inOrder = seen.toSorted((a, b) => a.share - b.share).map(({ clock }) => parseFloat(clock));
    assert.deepEqual(inOrder, inOrder.toSorted((a, b) => a - b));
    assert.ok(times[10] < 16 * SLACK, `${median} ms at the median`);
  });
});
