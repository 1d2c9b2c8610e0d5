// Splits a module in two: what the first scene needs, and the rest, which is loaded behind it.
//
// Both parts have the whole module's numbering. What a part does not hold is a stub there, which calls through the table
// that both share; unused stubs are dropped by wasm-opt. A stub of the first part calls the table's entry `loader`
// before: until the rest is there, that is the loader, which fetches it on the spot; then it is an empty function. So
// the first part may call anything at any time.

import { FUNCREF, KIND, OP, signed, unsigned } from './module.mjs';
import { placed } from './reach.mjs';

/** The module under which the rest imports what is the first part's. */
export const SHARED = 'shared';

/** A copy of `module` in which each function that is called sets a global, which is exported as `called-INDEX`. */
export function counted(module) {
  const imports = module.import.length;
  const global = [...module.global, ...module.code.map(() => ({ type: 0x7f, mutable: 1, init: Buffer.from([OP.i32Const, 0, OP.end]) }))];
  const first = module.global.length;
  return {
    ...module,
    global,
    export: [...module.export, ...module.code.map((_, at) => ({ name: `called-${imports + at}`, kind: KIND.global, index: first + at }))],
    code: module.code.map((body, at) => {
      const locals = localsEnd(body);
      return Buffer.concat([body.subarray(0, locals), Buffer.from([OP.i32Const, 1, OP.globalSet, ...unsigned(first + at)]), body.subarray(locals)]);
    }),
  };
}

/** Where the declarations of a body's locals end. */
function localsEnd(body) {
  let at = 0;
  const next = () => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = body[at++];
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  for (let groups = next(); groups > 0; groups -= 1) {
    next();
    at += 1;
  }
  return at;
}

/**
 * The two parts of `module`. `isLater(index)` says where a function belongs. `keeps(part)` answers which functions of a
 * part can be reached (a set of indices): what nobody calls gets no entry in the table. `laterData` are the stretches
 * of memory that only the rest reads.
 */
export function split(module, isLater, keeps, laterData) {
  const imports = module.import.length;
  const defined = module.code.map((_, at) => imports + at);
  const later = new Set(defined.filter(isLater));
  const table = module.table.findIndex(({ of }) => of === FUNCREF);
  if (table !== 0 || module.element.some((segment) => segment.table !== 0)) throw new Error('the functions are not in table 0');
  if (module.import.some(({ kind }) => kind !== KIND.function)) throw new Error('an import that is no function');
  if (module.start !== undefined) throw new Error('a start function would run before the loader is in its place');

  // A function may have several entries.
  const entries = module.element.flatMap(({ offset, functions }) => functions.map((f, at) => [f, offset + at]));
  const slots = new Map(entries);
  let size = module.table[table].min;
  const loader = size++;

  const type = [...module.type];
  let nothing = type.findIndex(({ params, results }) => params.length + results.length === 0);
  if (nothing < 0) nothing = type.push({ params: [], results: [] }) - 1;

  const through = (slot, called) => [OP.i32Const, ...signed(slot), OP.callIndirect, ...unsigned(called), table];
  const stub = (f, before) => {
    const called = module.function[f - imports];
    const passed = type[called].params.flatMap((_, at) => [OP.localGet, ...unsigned(at)]);
    // Entry 0 is no function's: for a stub of which it is not yet known whether anybody calls it.
    return Buffer.from([0, ...before, ...passed, ...through(slots.get(f) ?? 0, called), OP.end]);
  };
  const data = parted(placed(module.data), laterData);
  const first = () => ({
    ...module,
    ...data.first,
    type,
    table: grown(module.table, table, size),
    export: [...module.export, ...shared(module).map(({ entry, kind, index }) => ({ name: entry, kind, index }))],
    element: kept,
    code: module.code.map((body, at) => (later.has(imports + at) ? stub(imports + at, through(loader, nothing)) : body)),
  });
  const rest = () => ({
    names: module.names,
    type,
    import: [...module.import, ...shared(module, size).map(({ entry, ...what }) => ({ module: SHARED, name: entry, ...what }))],
    ...data.rest,
    // The empty function that takes the loader's place is the last.
    function: [...module.function, nothing],
    element: segments([...filled, ...[...slots].filter(([f, slot]) => slot > loader && later.has(f)), [imports + module.code.length, loader]]),
    code: [...module.code.map((body, at) => (later.has(imports + at) ? body : stub(imports + at, []))), Buffer.from([0, OP.end])],
  });

  // What fills the later functions' entries until join.js does.
  const filler = module.element[0].functions.find((f) => !later.has(f));
  const kept = module.element.map((segment) => ({ ...segment, functions: segment.functions.map((f) => (later.has(f) ? filler : f)) }));
  const filled = entries.filter(([f]) => later.has(f));

  // An entry makes its function a root of its part, which may call more of the other: until nothing is new.
  const whole = () => {
    const part = first();
    return { ...part, element: [...kept, ...segments([...slots].filter(([f, slot]) => slot > loader && !later.has(f)))] };
  };
  const give = (part, wanted) => {
    const before = size;
    for (const f of keeps(part)) if (f >= imports && wanted(f) && !slots.has(f)) slots.set(f, size++);
    return size > before;
  };
  const isShared = (f) => f < imports + module.code.length && !later.has(f);
  while (give(whole(), (f) => later.has(f)) | give(rest(), isShared));
  return { first: whole(), rest: rest(), loader, ...described(filled.map(([f, slot]) => [slot, type[module.function[f - imports]]])) };
}

/** Shorter stretches are not worth a segment of their own. */
const SHORT = 12;

/** The data of both parts. */
function parted(whole, laterData) {
  const [first, rest] = [[], []];
  const stretches = laterData.filter(([from, to]) => to - from >= SHORT);
  for (const { at, bytes } of whole) {
    const take = (into, from, to) => {
      if (to > from) into.push([0, OP.i32Const, ...signed(from | 0), OP.end, ...unsigned(to - from), ...bytes.subarray(from - at, to - at)]);
    };
    let next = at;
    for (const stretch of stretches) {
      const [from, to] = [Math.max(stretch[0], at), Math.min(stretch[1], at + bytes.length)];
      if (from >= to) continue;
      take(first, next, from);
      take(rest, from, to);
      next = to;
    }
    take(first, next, at + bytes.length);
  }
  const section = (segments) => ({ dataCount: segments.length, data: Buffer.from([...unsigned(segments.length), ...segments.flat()]) });
  return { first: section(first), rest: section(rest) };
}

const LETTERS = { 0x7f: 'i', 0x7e: 'l', 0x7d: 'f', 0x7c: 'd', 0x6f: 'x' };

/** The entries that join.js fills: their signatures (the loader's is the last), and a letter for each entry of the table. */
function described(entries) {
  const signature = ({ params, results }) => [params, results].map((kinds) => kinds.map((kind) => LETTERS[kind]).join('')).join('>');
  const types = [...new Set(entries.map(([, type]) => signature(type))), '>'];
  const letters = [];
  for (const [slot, type] of entries) letters[slot] = String.fromCharCode(33 + types.indexOf(signature(type)));
  return { types, slots: Array.from(letters, (letter) => letter ?? ' ').join('') };
}

/** What both parts share: tables, memory and globals, which have the same numbers in both. */
function shared(module, size) {
  const all = (kind, letter, list) => list.map((what, index) => ({ entry: `${letter}${index}`, kind, index, what }));
  return [
    ...all(KIND.table, 't', size ? grown(module.table, 0, size) : module.table).map(({ what, ...rest }) => ({ ...rest, table: { ...what, max: what.of === FUNCREF ? what.max : null } })),
    ...all(KIND.memory, 'm', module.memory).map(({ what, ...rest }) => ({ ...rest, memory: what })),
    ...all(KIND.global, 'g', module.global).map(({ what, ...rest }) => ({ ...rest, global: what })),
  ];
}

const grown = (tables, index, size) => tables.map((table, at) => (at === index ? { ...table, min: size, max: table.max === null ? null : size } : table));

/** Segments for pairs of a function and its entry in the table. */
function segments(pairs) {
  const found = [];
  for (const [f, slot] of [...pairs].sort(([, a], [, b]) => a - b)) {
    const last = found.at(-1);
    if (last && last.offset + last.functions.length === slot) last.functions.push(f);
    else found.push({ table: 0, offset: slot, functions: [f] });
  }
  return found;
}
