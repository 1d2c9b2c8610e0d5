// Native and WebAssembly agree: the page's records are the terminal's, byte for byte.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, test } from 'node:test';
import { openSite } from './page.mjs';
import { openTerminal } from './terminal.mjs';

const site = await openSite();
after(() => site.close());
const terminal = await openTerminal();

const PRESETS = ['article', 'client-go'];
const SCENES = [undefined, '1', '2', '3', '4', '5', '6'];
// Chance with several seeds (3 is the default), and attempts that were named.
const WORLDS = [
  ...['3', '0', '1', '7', '42', '18446744073709551615'].map((seed) => ({ seed })),
  ...['2', '2,3', '1,2,3,4,5,6', 'none'].map((fail) => ({ seed: '3', fail })),
];

const hash = (text) => createHash('sha256').update(text).digest('hex');

/** What the terminal prints. */
async function printed({ preset, seed, fail, scene }) {
  const args = ['--json', '--preset', preset, '--seed', seed, ...(fail ? ['--fail', fail] : []), ...(scene ? ['--scene', scene] : [])];
  const bytes = await terminal(...args);
  assert.ok(bytes.length > 100, `${args.join(' ')} prints records`);
  return hash(bytes);
}

/** Hashes of what the page exports, for each of `asked`. */
const exported = (page, asked) =>
  page.evaluate(async (asked) => {
    const hashes = [];
    for (const { preset, seed, fail, scene } of asked) {
      const bytes = new TextEncoder().encode(window.wasmBindings.records(preset, seed, fail, scene));
      const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
      hashes.push([...digest].map((byte) => byte.toString(16).padStart(2, '0')).join(''));
    }
    return hashes;
  }, asked);

for (const preset of PRESETS) {
  test(`${preset}: the page's records are the terminal's, byte for byte, for each scene and many chances`, () =>
    site.visit({}, async (page) => {
      const asked = WORLDS.flatMap((world) => SCENES.map((scene) => ({ preset, scene, ...world })));
      const here = await exported(page, asked);
      const distinct = new Set(here);
      // Where no upgrade fails, chance changes nothing: some runs are the same.
      assert.ok(distinct.size > 20, `${distinct.size} different runs among ${asked.length}`);
      for (const [index, flags] of asked.entries()) {
        assert.equal(here[index], await printed(flags), JSON.stringify(flags));
      }
    }));
}

test('what is asked for wrongly is refused in words, and the page goes on', () =>
  site.visit({}, async (page) => {
    const refused = (...words) =>
      page.evaluate((words) => {
        try {
          return `no error, but ${window.wasmBindings.records(...words).length} bytes`;
        } catch (error) {
          return String(error);
        }
      }, words);
    assert.equal(await refused('kube', '3'), 'preset: the presets are article and client-go');
    assert.equal(await refused('', '3'), 'preset: the presets are article and client-go');
    for (const seed of ['-1', 'x', '', '1.5', '18446744073709551616']) {
      assert.equal(await refused('article', seed), 'seed: a seed is a whole number from 0 to 18446744073709551615');
    }
    for (const scene of ['0', '7', 'x', '-1', '4294967297']) {
      assert.equal(await refused('article', '3', undefined, scene), 'scene: scenes have the numbers 1 to 6');
    }
    assert.equal(await refused('article', '3', '0'), 'fail: attempts are counted from 1');
    assert.match(await refused('article', '3', '1,,2'), /^fail: "" is no number/);
    assert.match(await refused('article', '3', 'x'.repeat(1_000_000)), /^fail: /);
    assert.match(await refused('client-go', '3', undefined, '4'), /^no error/);
  }));
