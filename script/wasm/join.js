
// --- The two parts of the program: script/split.mjs puts this behind wasm-bindgen's script ---------------------------

/** What the build writes in: the loader's entry in the table, the signatures of stubs, and a letter for each entry. */
const PARTS = '%PARTS%';

const parts = {
  imports: undefined,
  first: undefined,
  compiled: undefined,
  joined: false,
  link: undefined,

  /** The first part is there, and nothing has been called yet. */
  begin(imports, first) {
    Object.assign(parts, { imports, first });
    // What is called before the rest has come waits for it on the spot. Where it cannot be had, nothing goes on: what
    // called it is in the middle of its work.
    stubs(first.t0, () => {
      try {
        parts.join(new WebAssembly.Module(fetchNow(parts.link.href)));
      } catch (error) {
        document.documentElement.dataset.panic = `A part of the page could not be loaded: ${error.message}`;
        throw error;
      }
    });
    if (parts.compiled) parts.join(parts.compiled);
  },

  join(rest) {
    if (parts.joined) return;
    new WebAssembly.Instance(rest, { ...parts.imports, shared: parts.first });
    parts.joined = true;
    parts.onJoined();
  },
};

/**
 * Says where the rest is, and calls `onJoined` as soon as it is joined. Returns what loads it, or tries again: a function
 * whose promise is kept when it is there or will be before the program starts.
 */
export function rest(link, onJoined) {
  Object.assign(parts, { link, onJoined });
  let loading;
  return () => (loading ??= WebAssembly.compileStreaming(fetch(link.href, { integrity: link.integrity, credentials: 'same-origin' }))
    .then((compiled) => {
      parts.compiled = compiled;
      if (parts.first) parts.join(compiled);
    })
    .catch((error) => {
      loading = undefined;
      throw error;
    }));
}

/**
 * Puts a function into each entry of the table that the rest will fill: it has the rest joined, which fills the entry
 * anew, and calls that. And `load` into the loader's own.
 */
function stubs(table, load) {
  const number = (value, signed) => {
    const bytes = [];
    for (; value > 127 || (signed && value > 63); value >>= 7) bytes.push((value & 127) | 128);
    return [...bytes, value];
  };
  const vector = (entries) => [...number(entries.length), ...entries.flat()];
  const section = (id, entries) => {
    const content = vector(entries);
    return [id, ...number(content.length), ...content];
  };
  const kinds = { i: 0x7f, l: 0x7e, f: 0x7d, d: 0x7c, x: 0x6f };
  const values = (letters) => vector([...letters].map((letter) => kinds[letter]));
  const types = PARTS.types.map((signature) => signature.split('>'));
  const found = [...PARTS.slots].flatMap((letter, slot) => (letter === ' ' ? [] : [[slot, letter.charCodeAt(0) - 33]]));
  // (import "" "" (func $load)), and for each entry (func (call $load) (call_indirect (local.get …)… (i32.const slot)))
  const body = ([slot, type]) => {
    const passed = [...types[type][0]].flatMap((_, at) => [0x20, at]);
    const code = [0, 0x10, 0, ...passed, 0x41, ...number(slot, true), 0x11, ...number(type), 0, 0x0b];
    return [...number(code.length), ...code];
  };
  const bytes = [
    0, 97, 115, 109, 1, 0, 0, 0,
    ...section(1, types.map(([params, results]) => [0x60, ...values(params), ...values(results)])),
    ...section(2, [[0, 0, 0, ...number(types.length - 1)], [0, 1, 116, 1, 0x70, 0, 0]]),
    ...section(3, found.map(([, type]) => number(type))),
    ...section(9, [[PARTS.loader, 0], ...found.map(([slot], at) => [slot, at + 1])].map(([slot, f]) => [0, 0x41, ...number(slot, true), 0x0b, 1, ...number(f)])),
    ...section(10, found.map(body)),
  ];
  new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.from(bytes)), { '': { '': load, t: table } });
}

/** A file's bytes, waited for. The one way that browsers have gives them as text, a letter each. */
function fetchNow(address) {
  const request = new XMLHttpRequest();
  request.open('GET', address, false);
  request.overrideMimeType('text/plain; charset=x-user-defined');
  request.send();
  if (request.status !== 200) throw new Error(`${address} answers with ${request.status}`);
  return Uint8Array.from(request.responseText, (letter) => letter.charCodeAt(0) & 255);
}
