// Which data a program's functions can read, from what the linker left for other linkers (`--emit-relocs`).
// https://github.com/WebAssembly/tool-conventions/blob/main/Linking.md

import { Reader } from './module.mjs';

const SYMBOL_TABLE = 8;
const KIND = { function: 0, data: 1, section: 3 };
const UNDEFINED = 0x10;
const EXPLICIT_NAME = 0x40;
/** Relocations that are followed by an addend, and those of them that are addresses in memory. */
const ADDRESSES = new Set([3, 4, 5, 11]);
const WITH_ADDEND = new Set([...ADDRESSES, 8, 9, 14, 15, 16, 17, 18, 19, 21, 22, 23, 25]);

/**
 * The stretches of memory, as `[from, to]`, that no function can read whose name `isWanted` accepts, nor any data that
 * such a function can reach. `linked` is the linker's output, parsed.
 */
export function unreachable(linked, isWanted) {
  const symbols = symbolTable(linked.custom.get('linking'));
  const segments = placed(linked.data);
  const address = ({ segment, offset }) => segments[segment].at + offset;
  const data = symbols
    .map((symbol, index) => ({ ...symbol, index }))
    .filter(({ kind, segment, size }) => kind === KIND.data && segment !== undefined && size > 0)
    .map((symbol) => ({ index: symbol.index, from: address(symbol), to: address(symbol) + symbol.size }))
    .sort((a, b) => a.from - b.from);

  const used = new Set();
  const waiting = [];
  const use = (index) => {
    if (symbols[index].kind !== KIND.data) throw new Error('an address that is no data\'s');
    if (!used.has(index)) waiting.push(index) && used.add(index);
  };

  const imports = linked.import.filter(({ type }) => type !== undefined).length;
  let f = 0;
  for (const { type, offset, index } of relocations(linked.custom.get('reloc.CODE'))) {
    if (!ADDRESSES.has(type)) continue;
    while (offset >= linked.bodies[f].to) f += 1;
    if (isWanted(linked.names.get(imports + f))) use(index);
  }

  // What data points to, by where it stands in memory.
  const pointers = [];
  for (const { type, offset, index } of relocations(linked.custom.get('reloc.DATA'))) {
    if (!ADDRESSES.has(type)) continue;
    const { at, content } = segments.findLast(({ content }) => content <= offset);
    pointers.push([at + offset - content, index]);
  }
  pointers.sort(([a], [b]) => a - b);
  while (waiting.length > 0) {
    const index = waiting.pop();
    const symbol = symbols[index];
    if (symbol.segment === undefined) continue;
    const from = address(symbol);
    for (let at = lower(pointers, from); at < pointers.length && pointers[at][0] < from + symbol.size; at += 1) use(pointers[at][1]);
  }

  // Symbols may overlap: what one of them needs stays.
  const kept = data.filter(({ index }) => used.has(index));
  const stretches = [];
  let next = 0;
  let end = 0;
  for (const { index, from, to } of data) {
    if (used.has(index)) {
      end = Math.max(end, to);
      continue;
    }
    let start = Math.max(from, end);
    while (next < kept.length && kept[next].from < start) next += 1;
    const stop = Math.min(to, kept[next]?.from ?? Infinity);
    if (stop > start) {
      const last = stretches.at(-1);
      // What lies between two symbols is nobody's.
      if (last && last[1] >= end) last[1] = stop;
      else stretches.push([start, stop]);
    }
    end = Math.max(end, start, stop);
  }
  return stretches;
}

function lower(pairs, wanted) {
  let [low, high] = [0, pairs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (pairs[middle][0] < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A data section's segments: where each lies in memory (`at`) and where its bytes begin in the section (`content`). */
export function placed(section) {
  const r = new Reader(section);
  return r.list(() => {
    if (r.unsigned() !== 0) throw new Error('a segment of data that is not put into memory at the start');
    const at = r.offset() >>> 0;
    const length = r.unsigned();
    const content = r.at;
    return { at, content, bytes: r.take(length) };
  });
}

function symbolTable(section) {
  const r = new Reader(section);
  if (r.unsigned() !== 2) throw new Error('linking information of another version');
  while (r.at < section.length) {
    const kind = r.byte();
    const content = new Reader(r.take(r.unsigned()));
    if (kind === SYMBOL_TABLE) return content.list(symbol);
  }
  throw new Error('linking information without symbols');
}

function symbol(r) {
  const kind = r.byte();
  const flags = r.unsigned();
  if (kind === KIND.data) {
    const name = r.name();
    return flags & UNDEFINED ? { kind, name } : { kind, name, segment: r.unsigned(), offset: r.unsigned(), size: r.unsigned() };
  }
  const index = r.unsigned();
  const named = kind !== KIND.section && (!(flags & UNDEFINED) || flags & EXPLICIT_NAME);
  return { kind, index, name: named ? r.name() : undefined };
}

function relocations(section) {
  const r = new Reader(section);
  r.unsigned(); // the section that they are about
  return r.list(() => {
    const entry = { type: r.byte(), offset: r.unsigned(), index: r.unsigned() };
    if (WITH_ADDEND.has(entry.type)) r.signed();
    return entry;
  });
}
