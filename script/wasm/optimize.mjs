// wasm-opt, as the page's WebAssembly goes through it.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, print } from './module.mjs';

// The compiler uses what every browser since 2022 has; wasm-opt has to be told.
const FEATURES = ['bulk-memory', 'nontrapping-float-to-int', 'sign-ext', 'mutable-globals', 'reference-types', 'multivalue'].map((feature) => `--enable-${feature}`);
// What it would inline or share between instructions is smaller, but not once it is gzipped (docs/performance.md).
const SMALL = [
  '-Oz', '--low-memory-unused', '--skip-pass', 'local-cse',
  ...['one-caller-inline', 'always-inline', 'flexible-inline'].flatMap((limit) => [`--${limit}-max-function-size`, '0']),
];

/** What the passes of wasm-opt make of a module, as a file. */
export function optimized(module, ...passes) {
  const work = mkdtempSync(join(tmpdir(), 'loopscope-wasm-'));
  try {
    const [from, to] = ['from.wasm', 'to.wasm'].map((file) => join(work, file));
    writeFileSync(from, print(module));
    execFileSync('wasm-opt', [...FEATURES, ...passes, from, '-o', to]);
    return readFileSync(to);
  } finally {
    rmSync(work, { recursive: true });
  }
}

/** The module made small; its functions keep their names. */
export const small = (module) => parse(optimized(module, '-g', ...SMALL));

/** Which functions of a part can be called from outside, or from one that can: their numbers. */
export function reached(part) {
  const imports = part.import.filter(({ type }) => type !== undefined).length;
  const names = new Map(part.function.map((_, at) => [imports + at, `f${imports + at}`]));
  const left = parse(optimized({ ...part, names }, '-g', '--remove-unused-module-elements'));
  return new Set([...left.names.values()].filter((name) => /^f\d+$/.test(name)).map((name) => Number(name.slice(1))));
}
