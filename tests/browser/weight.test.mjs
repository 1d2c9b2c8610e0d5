// Every byte is a wait on a phone: all that is loaded before the first scene can be used stays within a budget.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { extname, join, posix } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { DIST } from './server.mjs';

/** In bytes; kilobytes have 1,000. `gzip -9` is what a server sends, or a little better. */
const BUDGET = 150_000;

/** Names of files that a file makes the browser load at once: not what is imported when it is first needed. */
function* mentioned(file, text) {
  // What is shown when somebody puts the page among their applications waits until then.
  // So do the parts that the boot script loads behind the first scene, and when the editor opens: first-part.test.mjs and
  // console.test.mjs hold it to that.
  text = text.replace(/<link\b[^>]*\brel="?(apple-touch-icon|manifest|later-rest|later-stylesheet|later-reader)"?[^>]*>/g, '');
  const patterns = {
    // Attributes, and the addresses in the script that starts the page.
    '.html': /["'(]([^"'()\s<>]+\.[a-z0-9]+)["')]/g,
    '.js': /(?:\bimport|\bfrom)\s*["']([^"']+)["']/g,
    '.css': /url\(\s*["']?([^"')]+)["']?\s*\)/g,
  };
  for (const [, address] of text.matchAll(patterns[extname(file)] ?? /$^/g)) {
    yield posix.normalize(posix.join(posix.dirname(file), address.split(/[?#]/)[0]));
  }
}

/** Files that are loaded before the page can be used, by name, with their gzipped size. */
function loaded() {
  const sizes = new Map();
  const waiting = ['index.html'];
  for (let file = waiting.pop(); file; file = waiting.pop()) {
    const path = join(DIST, file);
    if (sizes.has(file) || !existsSync(path)) continue;
    const bytes = readFileSync(path);
    sizes.set(file, gzipSync(bytes, { level: 9 }).length);
    waiting.push(...mentioned(file, bytes.toString('latin1')));
  }
  return sizes;
}

const row = (bytes, name) => `${String(bytes).padStart(9)}  ${name}`;

test('what is loaded before the first scene can be used is at most 150 KB', (t) => {
  assert.ok(existsSync(join(DIST, 'index.html')), `there is no page in ${DIST}: run script/build first`);
  const sizes = loaded();
  const total = [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
  for (const kind of ['.css', '.html', '.js', '.wasm']) {
    assert.ok([...sizes.keys()].some((file) => extname(file) === kind), `no ${kind} is loaded: does this test read the page right?`);
  }
  const later = readdirSync(DIST, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile() && !sizes.has(entry.name)).length;
  const table = [...sizes].sort(([, a], [, b]) => b - a).map(([file, bytes]) => row(bytes, file));
  table.push(row(total, `in all, of ${BUDGET}; ${later} other files are loaded later or never`));
  t.diagnostic(`gzipped bytes before the first scene\n${table.join('\n')}`);
  assert.ok(total <= BUDGET, `${total - BUDGET} bytes too many: run script/first-part if much was changed; docs/performance.md says what to look for\n${table.join('\n')}`);
});
