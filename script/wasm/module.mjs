// A WebAssembly module's sections, as far as splitting one takes: read, changed, written again. Bodies stay as bytes.
// https://webassembly.github.io/spec/core/binary/modules.html

export const FUNCREF = 0x70;
const SECTION = { type: 1, import: 2, function: 3, table: 4, memory: 5, global: 6, export: 7, start: 8, element: 9, dataCount: 12, code: 10, data: 11 };
/** The order in which sections stand in a file. */
const ORDER = ['type', 'import', 'function', 'table', 'memory', 'global', 'export', 'start', 'element', 'dataCount', 'code', 'data'];
export const KIND = { function: 0, table: 1, memory: 2, global: 3 };
export const OP = { end: 0x0b, callIndirect: 0x11, localGet: 0x20, globalSet: 0x24, i32Const: 0x41 };

/** An unsigned number in LEB128. */
export function unsigned(value) {
  const bytes = [];
  do {
    const low = value % 128;
    value = Math.floor(value / 128);
    bytes.push(value > 0 ? low | 128 : low);
  } while (value > 0);
  return bytes;
}

/** A signed number of 32 bits in LEB128. */
export function signed(value) {
  const bytes = [];
  for (;;) {
    const low = value & 127;
    value >>= 7;
    if ((value === 0 && !(low & 64)) || (value === -1 && low & 64)) return [...bytes, low];
    bytes.push(low | 128);
  }
}

export const name = (text) => [...unsigned(Buffer.byteLength(text)), ...Buffer.from(text)];

/** Reads a file from its beginning to its end. */
export class Reader {
  constructor(bytes, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  byte() {
    return this.bytes[this.at++];
  }

  unsigned() {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }

  signed() {
    let value = 0;
    for (let shift = 0; ; ) {
      const byte = this.byte();
      value |= (byte & 127) << shift;
      shift += 7;
      if (byte < 128) return shift < 32 && byte & 64 ? value | (-1 << shift) : value;
    }
  }

  take(length) {
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  name() {
    return Buffer.from(this.take(this.unsigned())).toString('utf8');
  }

  list(read) {
    return Array.from({ length: this.unsigned() }, () => read(this));
  }

  limits() {
    const flags = this.byte();
    if (flags > 1) throw new Error(`limits of a kind that is not known here: ${flags}`);
    const min = this.unsigned();
    return { min, max: flags === 1 ? this.unsigned() : null };
  }

  /** `i32.const N end`: where a segment begins. */
  offset() {
    if (this.byte() !== OP.i32Const) throw new Error('a segment that does not begin at a number');
    const at = this.signed();
    if (this.byte() !== OP.end) throw new Error('a segment that does not begin at a number');
    return at;
  }
}

const limits = ({ min, max }) => (max === null ? [0, ...unsigned(min)] : [1, ...unsigned(min), ...unsigned(max)]);

const read = {
  type: (r) => r.list(() => {
    if (r.byte() !== 0x60) throw new Error('a type that is no function');
    return { params: [...r.take(r.unsigned())], results: [...r.take(r.unsigned())] };
  }),
  import: (r) => r.list(() => {
    const entry = { module: r.name(), name: r.name(), kind: r.byte() };
    if (entry.kind === KIND.function) return { ...entry, type: r.unsigned() };
    if (entry.kind === KIND.table) return { ...entry, table: read.oneTable(r) };
    if (entry.kind === KIND.memory) return { ...entry, memory: r.limits() };
    return { ...entry, global: { type: r.byte(), mutable: r.byte() } };
  }),
  function: (r) => r.list(() => r.unsigned()),
  table: (r) => r.list(read.oneTable),
  oneTable: (r) => ({ of: r.byte(), ...r.limits() }),
  memory: (r) => r.list(() => r.limits()),
  // Types of one byte and constants without an inner `end`, which is what compilers write.
  global: (r) => r.list(() => {
    const global = { type: r.byte(), mutable: r.byte() };
    const from = r.at;
    while (r.byte() !== OP.end);
    return { ...global, init: r.bytes.subarray(from, r.at) };
  }),
  export: (r) => r.list(() => ({ name: r.name(), kind: r.byte(), index: r.unsigned() })),
  start: (r) => r.unsigned(),
  element: (r) => r.list(() => {
    const flags = r.unsigned();
    if (flags !== 0 && flags !== 2) throw new Error(`elements of a kind that is not known here: ${flags}`);
    const table = flags === 2 ? r.unsigned() : 0;
    const offset = r.offset();
    if (flags === 2) r.byte();
    return { table, offset, functions: r.list(() => r.unsigned()) };
  }),
  dataCount: (r) => r.unsigned(),
  code: (r) => r.list(() => r.take(r.unsigned())),
  bodies: (r) => r.list(() => ({ to: (r.take(r.unsigned()), r.at) })),
  data: (r) => r.bytes.subarray(r.at),
};

const list = (entries, write) => [...unsigned(entries.length), ...entries.flatMap(write)];

const write = {
  type: (types) => list(types, ({ params, results }) => [0x60, ...unsigned(params.length), ...params, ...unsigned(results.length), ...results]),
  import: (imports) => list(imports, (entry) => [...name(entry.module), ...name(entry.name), entry.kind, ...imported(entry)]),
  function: (types) => list(types, unsigned),
  table: (tables) => list(tables, (table) => [table.of, ...limits(table)]),
  memory: (memories) => list(memories, limits),
  global: (globals) => list(globals, ({ type, mutable, init }) => [type, mutable, ...init]),
  export: (exports) => list(exports, (entry) => [...name(entry.name), entry.kind, ...unsigned(entry.index)]),
  start: unsigned,
  element: (segments) => list(segments, ({ table, offset, functions }) => [
    ...(table === 0 ? [0] : [2, ...unsigned(table)]),
    OP.i32Const, ...signed(offset), OP.end,
    ...(table === 0 ? [] : [0]),
    ...list(functions, unsigned),
  ]),
  dataCount: unsigned,
  // Too large to be spread.
  code: (bodies) => Buffer.concat([Buffer.from(unsigned(bodies.length)), ...bodies.flatMap((body) => [Buffer.from(unsigned(body.length)), body])]),
  data: (bytes) => bytes,
};

function imported({ kind, type, table, memory, global }) {
  if (kind === KIND.function) return unsigned(type);
  if (kind === KIND.table) return [table.of, ...limits(table)];
  if (kind === KIND.memory) return limits(memory);
  return [global.type, global.mutable];
}

/**
 * A module's sections by name; `names`, a function's index to its name; `custom`, the other sections; and `bodies`, where
 * in the section of code each body ends.
 */
export function parse(bytes) {
  if (bytes.readUInt32LE(0) !== 0x6d736100) throw new Error('this is no WebAssembly');
  const module = { names: new Map(), custom: new Map(), bodies: [] };
  const r = new Reader(bytes, 8);
  while (r.at < bytes.length) {
    const id = r.byte();
    const content = new Reader(r.take(r.unsigned()));
    const section = ORDER.find((section) => SECTION[section] === id);
    if (section === 'code') module.bodies = read.bodies(new Reader(content.bytes));
    if (section) {
      module[section] = read[section](content);
    } else if (id === 0) {
      const named = content.name();
      if (named === 'name') module.names = functionNames(content);
      else module.custom.set(named, content.bytes.subarray(content.at));
    } else {
      throw new Error(`a section that is not known here: ${id}`);
    }
  }
  return module;
}

function functionNames(r) {
  while (r.at < r.bytes.length) {
    const kind = r.byte();
    const content = new Reader(r.take(r.unsigned()));
    if (kind === 1) return new Map(content.list(() => [content.unsigned(), content.name()]));
  }
  return new Map();
}

/** The module as a file; with its functions' names where `names` is not empty. */
export function print(module) {
  const parts = [Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0])];
  const section = (id, content) => parts.push(Buffer.from([id, ...unsigned(content.length)]), Buffer.from(content));
  for (const kind of ORDER) if (module[kind] !== undefined) section(SECTION[kind], write[kind](module[kind]));
  if (module.names.size > 0) {
    const names = Buffer.from(list([...module.names].sort(([a], [b]) => a - b), ([index, text]) => [...unsigned(index), ...name(text)]));
    section(0, [...name('name'), 1, ...unsigned(names.length), ...names]);
  }
  return Buffer.concat(parts);
}
