// How functions are named in the list of the first part: as Rust has them, without what differs from build to build.

import { readFileSync } from 'node:fs';

export const FIRST_PART = new URL('./first-part.txt', import.meta.url);

/**
 * A function's name (https://doc.rust-lang.org/rustc/symbol-mangling/v0.html) without the hashes of its crates, the number
 * that wasm-opt gives to one of two that have the same, and wasm-bindgen's running numbers.
 */
export const label = (name = '(without a name)') => name.replace(/Cs[0-9A-Za-z]+_/g, 'C').replace(/\.\d+$/, '').replace(/shim_idx: \d+/, 'shim_idx');

/** The labels of the functions that the first scene needs. */
export const firstPart = () => new Set(readFileSync(FIRST_PART, 'utf8').split('\n').filter((line) => line && !line.startsWith('#')));
