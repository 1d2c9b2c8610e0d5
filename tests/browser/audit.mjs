// The long checks of a release, as one table: script/audit runs this. Fails where a figure is out of bounds.
//
//   --only lighthouse|cost|memory   may be given several times; without it all three
//   --minutes 10                    how long the memory check plays
//   --seconds 8                     how long each cost is measured

import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { button, fast, still } from './hands.mjs';
import { openSite } from './page.mjs';

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    minutes: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '8' },
  },
});
const wants = (part) => !values.only || values.only.includes(part);
const seconds = Number(values.seconds);
const minutes = Number(values.minutes);
if (!(minutes > 1)) {
  console.error(`--minutes ${values.minutes}: growth is counted from the end of the first minute, so give more than 1.`);
  process.exit(2);
}

/** What is measured, what it came to, and what it may be; and how busy the machine was (its load average of a minute). */
const rows = [];
const row = (what, figure, bound, ok) => rows.push({ what, figure, bound, load: loadavg()[0].toFixed(1), ok });
let site;
const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

// --- Lighthouse ---------------------------------------------------------------------------------------------------

async function lighthouse() {
  const folder = mkdtempSync(join(tmpdir(), 'loopscope-lighthouse-'));
  const scores = {};
  for (let n = 0; n < 3; n += 1) {
    const file = join(folder, `${n}.json`);
    await promisify(execFile)(process.env.LIGHTHOUSE, [
      site.url, '--quiet', '--output=json', `--output-path=${file}`, '--form-factor=mobile',
      '--only-categories=performance,accessibility,best-practices,seo',
      '--chrome-flags=--headless=new --no-sandbox --disable-gpu',
    ], { env: { ...process.env, CHROME_PATH: process.env.CHROMIUM }, maxBuffer: 1 << 26 });
    const report = JSON.parse(readFileSync(file, 'utf8'));
    for (const [name, { score }] of Object.entries(report.categories)) (scores[name] ??= []).push(Math.round(score * 100));
    for (const name of ['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time', 'cumulative-layout-shift']) {
      (scores[name] ??= []).push(report.audits[name].numericValue);
    }
    const failed = Object.values(report.audits).filter(({ score }) => score !== null && score < 0.9).map(({ id }) => id);
    if (failed.length) console.log(`Lighthouse run ${n + 1}, audits below 0.9: ${failed.join(', ')}`);
  }
  rmSync(folder, { recursive: true });
  const least = { performance: 95, accessibility: 100, 'best-practices': 100, seo: 100 };
  for (const [name, bound] of Object.entries(least)) {
    const score = median(scores[name]);
    row(`Lighthouse 12.2.3, mobile: ${name}`, `${score} (${scores[name].join(', ')})`, `≥ ${bound}`, score >= bound);
  }
  row('Lighthouse: first / largest contentful paint, ms',
    `${Math.round(median(scores['first-contentful-paint']))} / ${Math.round(median(scores['largest-contentful-paint']))}`, '');
  row('Lighthouse: total blocking time, ms', Math.round(median(scores['total-blocking-time'])), '');
  row('Lighthouse: cumulative layout shift', median(scores['cumulative-layout-shift']).toFixed(3), '');
}

// --- Main-thread cost ---------------------------------------------------------------------------------------------

/**
 * Milliseconds of the main thread a second: script, style, layout; and frames. `script` and so on are the thread's own
 * time, which other programs on the machine do not lengthen; `wall` is the sum by the clock on the wall.
 */
async function measure(page, length = seconds) {
  const [own, wall] = await Promise.all(['threadTicks', 'timeTicks'].map(async (timeDomain) => {
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Performance.enable', { timeDomain });
    return cdp;
  }));
  const read = async (cdp) => {
    const { metrics } = await cdp.send('Performance.getMetrics');
    const of = (name) => metrics.find((metric) => metric.name === name).value * 1000;
    return { script: of('ScriptDuration'), style: of('RecalcStyleDuration'), layout: of('LayoutDuration') };
  };
  const all = async () => [performance.now() / 1000, await read(own), await read(wall), await page.evaluate(() => window.frames_seen)];
  const [from, before, before_wall, frames_before] = await all();
  await page.waitForTimeout(length * 1000);
  const [until, after, after_wall, frames_after] = await all();
  await Promise.all([own.detach(), wall.detach()]);
  const a_second = (number) => number / (until - from);
  const part = (name) => a_second(after[name] - before[name]);
  return {
    script: part('script'), style: part('style'), layout: part('layout'),
    wall: a_second(sum(after_wall) - sum(before_wall)),
    frames: a_second(frames_after - frames_before),
  };
}

/** Counts the page's own frames. */
const countFrames = (page) => page.addInitScript(() => {
  window.frames_seen = 0;
  const real = window.requestAnimationFrame;
  window.requestAnimationFrame = (callback) => real.call(window, (now) => {
    window.frames_seen += 1;
    callback(now);
  });
});

const sum = ({ script, style, layout }) => script + style + layout;
const parts = (cost) => `${sum(cost).toFixed(1)} (${[cost.script, cost.style, cost.layout].map((part) => part.toFixed(1)).join(' / ')}); by the wall ${cost.wall.toFixed(1)}`;

async function cost() {
  const visit = (fragment, body) => site.visit({ fragment, size: '1280x800', prepare: countFrames }, body);
  row('RaftScope, standing there, ms/s (script / style / layout)', '306 (212 / 48 / 46)', 'for comparison');
  await visit('1/control-loop/4', async (page) => {
    await page.waitForTimeout(1500);
    const paused = await measure(page);
    row('paused, ms/s (script / style / layout)', parts(paused), '≤ 1', sum(paused) <= 1);
    row('paused, frames asked for a second', paused.frames.toFixed(1), '0', paused.frames === 0);
  });
  // The machine is not equally fast all the time, so three visits, as for Lighthouse.
  const plays = [];
  for (let n = 0; n < 3; n += 1) {
    await visit('1/control-loop/4', async (page) => {
      await page.waitForTimeout(500);
      await button(page, 'Play').click();
      await page.waitForTimeout(500);
      plays.push(await measure(page));
    });
  }
  const playing = plays.sort((a, b) => sum(a) - sum(b))[1];
  row('playing scene 4, ms/s (script / style / layout), median', parts(playing), '≤ 40', sum(playing) <= 40);
  row('playing scene 4, all three', plays.map((play) => sum(play).toFixed(1)).join(', '), '');
  row('playing scene 4, frames a second', playing.frames.toFixed(0), '');
  await visit('1/control-loop/4', async (page) => {
    await button(page, 'Play').click();
    await page.waitForTimeout(500);
    await page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => true });
      window.dispatchEvent(new Event('visibilitychange'));
    });
    await page.waitForTimeout(300);
    const hidden = await measure(page, 3);
    row('playing in a hidden tab, frames a second', hidden.frames.toFixed(1), '0', hidden.frames === 0);
  });
  await visit('1/control-loop/4?count=500&gap=0s&watch=30s&buffer=1000', async (page) => {
    const flying = async () => Number(await page.locator('.lane.watch footer b').first().innerText());
    const tokens = await manyTokens(page, flying);
    await button(page, 'Play').click();
    await page.waitForTimeout(300);
    const many = await measure(page, Math.min(seconds, 4));
    const script = many.frames ? many.script / many.frames : Infinity;
    row(`${tokens} tokens in flight, ms of script a frame`, script.toFixed(2), '≤ 5', tokens >= 950 && script <= 5);
    row(`${tokens} tokens in flight, ms/s (script / style / layout)`, parts(many), '');
    row(`${tokens} tokens in flight, frames a second`, many.frames.toFixed(0), '');
  });
}

async function seek(page, share) {
  const canvas = page.getByRole('slider', { name: 'Timeline' });
  const { x, y, width, height } = await canvas.boundingBox();
  await page.mouse.click(x + width * share, y + height / 2);
  await page.waitForTimeout(50);
}

/** Brings the cursor to where most tokens fly: a second burst right after the scene's own. */
async function manyTokens(page, flying) {
  const most = async (from, to, step) => {
    let best = { share: from, tokens: -1 };
    for (let share = from; share <= to; share += step) {
      await seek(page, share);
      const tokens = await flying();
      if (tokens > best.tokens) best = { share, tokens };
    }
    await seek(page, best.share);
    return best;
  };
  const fine = async () => {
    const { share } = await most(0.05, 0.95, 0.05);
    return most(Math.max(0, share - 0.05), Math.min(1, share + 0.05), 0.004);
  };
  await fine();
  await page.getByRole('button', { name: /^Burst/ }).click();
  return (await fine()).tokens;
}

// --- Memory -------------------------------------------------------------------------------------------------------

/**
 * Plays at ten times the speed, calls `act(page, clock)` every four seconds, and each time pauses, collects garbage and adds
 * up what the heap holds: JavaScript, DOM, and WebAssembly's memory, which never shrinks. Paused, since each frame between
 * collecting and counting leaves garbage of its own. Ends after `limit` minutes, or when the simulated clock stands at
 * `until` seconds.
 */
async function heapOf({ fragment, until = Infinity, limit = minutes }, act) {
  const seen = { first: undefined, last: 0, minutes: 0, clock: 0 };
  await site.visit({ fragment }, async (page) => {
    const cdp = await page.context().newCDPSession(page);
    const heap = async () => {
      await page.evaluate(() => {
        const play = document.querySelector('.play');
        if (play.ariaLabel === 'Pause') play.click();
      });
      await still(page);
      await cdp.send('HeapProfiler.collectGarbage');
      const { usedSize, embedderHeapUsedSize = 0, backingStorageSize = 0 } = await cdp.send('Runtime.getHeapUsage');
      const program = await page.evaluate(async () => (await window.wasmBindings.default()).memory.buffer.byteLength);
      return usedSize + embedderHeapUsedSize + backingStorageSize + program;
    };
    await fast(page);
    const begin = Date.now();
    while (seen.minutes < limit && seen.clock < until) {
      await act(page, seen.clock);
      // An act is played to its consequence: then on.
      const play = button(page, 'Play');
      if (await play.isVisible()) await play.click();
      await page.waitForTimeout(4000);
      seen.minutes = (Date.now() - begin) / 60_000;
      seen.clock = parseFloat(await page.locator('.clock').innerText());
      seen.last = await heap();
      if (seen.minutes >= 1) seen.first ??= seen.last;
    }
  });
  return seen;
}

/** Presses a button, where it can be pressed. */
async function press(found) {
  const can = (await found.getAttribute('aria-disabled')) !== 'true';
  if (can) await found.click();
  return can;
}

function memoryRow(what, { first, last }, more = true) {
  const growth = first ? (last / first - 1) * 100 : NaN;
  const mebibytes = (bytes) => (bytes / 2 ** 20).toFixed(1);
  row(`${what}: heap after the first minute → at the end`, `${mebibytes(first)} → ${mebibytes(last)} MiB, ${growth.toFixed(1)} %`, '< 10 %', more && growth < 10);
}

async function memory() {
  const burst = (page) => press(page.getByRole('button', { name: /^Burst/ }));
  let again = false;
  // Two pages of one browser, each a process of its own.
  const [busy, long] = await Promise.all([
    (async () => {
      let bursts = 0;
      // One every twelve seconds, so that each is seen to its end.
      let turn = 0;
      const seen = await heapOf({ fragment: '1/control-loop/4' }, async (page) => {
        if (turn++ % 3 !== 0) return;
        if (await burst(page)) bursts += 1;
        else await press(button(page, 'Create'));
      });
      return { bursts, ...seen };
    })(),
    // A burst may have 500 writes a minute apart: at this speed ten hours are over in eight to ten minutes, and a busy
    // machine may take a little longer.
    heapOf({ fragment: '1/control-loop/4?count=500&gap=60s', until: 36_000, limit: minutes * 1.3 }, async (page, clock) => {
      if (!again && clock > 20_000) again = await burst(page);
    }),
  ]);
  const hours = long.clock / 3600;
  memoryRow(`memory, ${busy.minutes.toFixed(1)} min of play at ×10 with ${busy.bursts} bursts`, busy);
  memoryRow(`memory, ${hours.toFixed(1)} simulated hours at ×10, in ${long.minutes.toFixed(1)} min`, long, (again && hours >= 10) || minutes < 10);
}

// --- The table ----------------------------------------------------------------------------------------------------

function print() {
  console.log('\n| what | measured | bound | load | |\n| --- | --- | --- | --- | --- |');
  for (const { what, figure, bound, load, ok } of rows) {
    console.log(`| ${what} | ${figure} | ${bound} | ${load} | ${ok === undefined ? '' : ok ? 'ok' : 'FAILED'} |`);
  }
}

// --- All of it ----------------------------------------------------------------------------------------------------

site = await openSite();
try {
  if (wants('lighthouse')) await lighthouse();
  if (wants('cost')) await cost();
  if (wants('memory')) await memory();
} finally {
  await site.close();
}

print();
process.exitCode = rows.every(({ ok }) => ok !== false) ? 0 : 1;
