// Makes the page's WebAssembly that Trunk has built small, and splits it: the first part is what the first scene needs,
// the rest is loaded behind it (static/boot.js).
//
//   node script/split.mjs dist
//
// script/wasm/first-part.txt names the first part's functions; docs/performance.md says how that list is made.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Dist, integrity } from './dist.mjs';
import { parse } from './wasm/module.mjs';
import { firstPart, label } from './wasm/names.mjs';
import { optimized, reached, small } from './wasm/optimize.mjs';
import { unreachable } from './wasm/reach.mjs';
import { split } from './wasm/parts.mjs';

const dist = new Dist(process.argv[2] ?? 'dist');
const preload = dist.theWasm();
const glue = dist.theGlue();
const built = parse(dist.read(preload.file));
if (built.names.size === 0) throw new Error(`${preload.file} has no names of functions: is it split already?`);
let script = dist.read(glue.file).toString();
const module = renamed(small(built));

const wanted = firstPart();
const isFirst = (name) => wanted.has(label(name));
// Addresses of data are the linker's: wasm-bindgen and wasm-opt leave them as they are. A function that the linker has
// not seen is wasm-bindgen's, and reads no data of ours.
const linked = parse(readFileSync(join(target(), 'wasm32-unknown-unknown/page/loopscope.wasm')));
const parts = split(module, (f) => !isFirst(module.names.get(f)), reached, unreachable(linked, isFirst));

const [first, rest] = [parts.first, parts.rest].map((part) => optimized({ ...part, names: new Map() }, '--remove-unused-module-elements'));
const tag = dist.replace(preload, first, 'loopscope-%.wasm');
const later = dist.name('loopscope-rest.wasm', rest);
dist.page = dist.page.replace(tag, () => `${tag}<link rel="later-rest" href="./${later}" integrity="${integrity(rest)}">`);
dist.replace(glue, joined(script, parts));

// The reader of YAML is another program: small, and whole. Its files are named by their content as well.
const wasm = dist.name('yaml-worker_bg.wasm', optimized({ ...small(parse(dist.read('yaml-worker_bg.wasm'))), names: new Map() }));
const worker = dist.name('yaml-worker.js', dist.read('yaml-worker.js'));
const reader = dist.read('yaml-reader.js').toString().replace('yaml-worker.js', worker).replace('yaml-worker_bg.wasm', wasm);
const opened = dist.name('yaml-reader.js', reader);
dist.page = dist.page.replace('</head>', `<link rel="later-reader" href="./${opened}">\n</head>`);
dist.save();
console.log(`${module.code.length} functions: ${first.length} bytes for the first scene, ${rest.length} behind it`);

/** Cargo's folder for what it builds. */
function target() {
  return JSON.parse(execFileSync('cargo', ['metadata', '--format-version', '1', '--no-deps'])).target_directory;
}

/** The module with short names for what it shares with wasm-bindgen's script, which is changed with it. */
function renamed(whole) {
  const names = new Map();
  for (const { name } of [...whole.import, ...whole.export]) {
    // Others are for whoever scripts the page.
    if (/^(__wbg_|__wbindgen_(?!start$)|wasm_bindgen_)/.test(name)) names.set(name, `_${names.size.toString(36)}`);
  }
  const short = (entry) => ({ ...entry, name: names.get(entry.name) ?? entry.name });
  script = script.replace(/(?<=\bwasm\.)\w+|^ +\w+(?=: function\()/gm, (name) => names.get(name.trim()) ?? name);
  return { ...whole, import: whole.import.map(short), export: whole.export.map(short) };
}

/** wasm-bindgen's script, with what joins the rest. */
function joined(script, { loader, types, slots }) {
  const edits = [
    ['function __wbg_finalize_init(instance, module) {', 'function __wbg_finalize_init(instance, module, imports) {'],
    ['return __wbg_finalize_init(instance, module);\n}\n\nexport', 'return __wbg_finalize_init(instance, module, imports);\n}\n\nexport'],
    ['wasm.__wbindgen_start();', 'parts.begin(imports, wasm);\n    wasm.__wbindgen_start();'],
  ];
  for (const [from, to] of edits) {
    if (script.split(from).length !== 2) throw new Error(`wasm-bindgen's script has not one place like this: ${from}`);
    script = script.replace(from, to);
  }
  const join = readFileSync(new URL('./wasm/join.js', import.meta.url), 'utf8');
  return script + join.replace("'%PARTS%'", () => JSON.stringify({ loader, types, slots }));
}
