// Starts the application, and stands by it: says so while it loads, when it cannot start and when it has failed.
// Trunk names the two files to load in the page's head; their integrity is checked there.

const root = document.documentElement;
const query = new URLSearchParams(location.search);
if (query.has('embed')) root.dataset.embed = '';

// --- Scripts beside the page ------------------------------------------------------------------------------------------

/** The addresses of scripts that are ever made here; the policy allows no other. */
const SCRIPTS = { keeper: './sw.js', reader: document.querySelector('link[rel="later-reader"]')?.href ?? './yaml-reader.js' };
const policy = window.trustedTypes?.createPolicy('loopscope', { createScriptURL: (name) => SCRIPTS[name] });
const script = (name) => policy?.createScriptURL(name) ?? SCRIPTS[name];

/** The reader of manifests, for the console's editor (src/ui/console/reader.rs). */
window.openReader = () => new Worker(script('reader'));

// --- The start ----------------------------------------------------------------------------------------------------

const loading = document.getElementById('loading');
const hold = (hidden) => document.querySelectorAll('.first .nav button').forEach((button) => (button.hidden = hidden));
const slow = setTimeout(() => {
  if (loading) loading.textContent = 'Still loading…';
}, 5000);

/** The still picture and the words are seen first. In a hidden tab nothing is painted. */
const painted = () => new Promise((done) => {
  if (document.hidden) done();
  else requestAnimationFrame(() => setTimeout(done));
  setTimeout(done, 300);
});

async function start() {
  if (typeof WebAssembly !== 'object') throw new Error('this browser has no WebAssembly');
  root.dataset.boot = 'loading';
  hold(false);
  await painted();
  // In a release both have waited for that (script/finish.mjs).
  const [glue, wasm] = ['modulepreload', 'preload'].map((rel) => {
    const found = document.querySelector(`link[rel="${rel}"], link[rel="later-${rel}"]`);
    if (found.rel === rel) return found;
    const link = found.cloneNode();
    link.rel = rel;
    found.replaceWith(link);
    return link;
  });
  const bindings = await import(glue.href);
  // In the text version chapter two is one chapter.
  if (location.hash === '#chapter-2') history.replaceState(null, '', '#1/configmap/1');
  const rest = theRest(bindings);
  const load = () => rest().catch(sayMissing);
  holdPresses(load);
  // A link may ask for what is not in the first part.
  if (location.hash || location.search) await rest();
  await bindings.default({ module_or_path: fetch(wasm.href, { integrity: wasm.integrity, credentials: 'same-origin' }) });
  idle(load);
  // For whoever scripts the page: docs/scripting.md.
  window.wasmBindings = bindings;
  root.dataset.boot = 'started';
}

// --- The rest -----------------------------------------------------------------------------------------------------

const idle = (work) => (globalThis.requestIdleCallback ?? setTimeout)(() => work());

/**
 * A release is in two parts: the first scene needs only the first, the rest joins it in the same memory
 * (script/wasm/join.js) and is drawn when its styles are there. Returns what loads the rest.
 */
function theRest({ rest }) {
  const styled = Promise.all([...document.querySelectorAll('link[rel="later-stylesheet"]')].map((link) => new Promise((done) => {
    link.onload = done;
    link.onerror = done; // readable without
  })));
  const here = async () => {
    await styled;
    root.dataset.whole = '';
    document.dispatchEvent(new Event('whole'));
  };
  const load = rest ? rest(document.querySelector('link[rel="later-rest"]'), here) : async () => here();
  return async () => {
    for (const link of document.querySelectorAll('link[rel="later-stylesheet"]')) link.rel = 'stylesheet';
    await Promise.all([load(), styled]);
  };
}

const say = (text) => {
  const soon = document.getElementById('soon');
  if (soon) soon.textContent = text;
};

/** The first scene plays on; what else there is needs the rest. */
const sayMissing = () => say('The rest of the page could not be loaded. Press what you want to try again.');

/**
 * Until the rest is there only the story goes on. Another control or key that is pressed waits for it, the last one only,
 * and is pressed again when it has come.
 */
function holdPresses(load) {
  let wish;
  const hold = (event, again) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    wish = again;
    say('One moment: that comes with the rest of the page…');
    load();
  };
  const waits = () => root.dataset.whole === undefined;
  addEventListener('click', (event) => {
    const control = event.target.closest?.('button, a, select, input');
    if (waits() && control?.closest('.part') && !control.closest('.nav')) hold(event, () => control.click());
  }, true);
  addEventListener('keydown', (event) => {
    const moves = /^(Tab|Shift|Control|Alt|Meta)$/.test(event.key) || (/^( |Enter)$/.test(event.key) && event.target.closest?.('button, a'));
    // With these it is the browser's.
    const browsers = event.ctrlKey || event.metaKey || event.altKey;
    if (waits() && !moves && !browsers) hold(event, () => event.target.dispatchEvent(new KeyboardEvent(event.type, event)));
  }, true);
  document.addEventListener('whole', () => setTimeout(() => wish?.()));
}

start().then(keep, (error) => {
  if (fallen(error)) return;
  root.dataset.boot = 'failed';
  hold(true);
  const notice = document.getElementById('cannot');
  if (!notice) return;
  notice.textContent = 'The page cannot play here: it needs a browser of 2023 or later with WebAssembly, and its files. '
    + `The six scenes of chapter one are here as text, and chapter two in short. (${error?.message ?? error})`;
  notice.hidden = false;
}).finally(() => clearTimeout(slow));

// --- Offline ------------------------------------------------------------------------------------------------------

/** Keeps this release for visits without a network; only a released page names itself. */
function keep() {
  if (!('serviceWorker' in navigator) || !document.querySelector('meta[name="release"]')) return;
  const register = () => navigator.serviceWorker.register(script('keeper')).catch(() => {});
  if (document.readyState === 'complete') setTimeout(register, 500);
  else addEventListener('load', () => setTimeout(register, 500));
}

// --- The end ------------------------------------------------------------------------------------------------------

addEventListener('error', (event) => fallen(event.error));
addEventListener('unhandledrejection', (event) => fallen(event.reason));

/**
 * After a panic nothing in WebAssembly can be relied on: stop the loop and the input, and say what happened.
 * The panic's words come from the hook (src/ui/fall.rs); without them only a trap of WebAssembly is ours.
 */
function fallen(error) {
  const panic = root.dataset.panic;
  if (panic === undefined && !(typeof WebAssembly === 'object' && error instanceof WebAssembly.RuntimeError)) return false;
  if (document.querySelector('.fallen')) return true;
  const last = requestAnimationFrame(() => {});
  for (let frame = last; frame > last - 50; frame -= 1) cancelAnimationFrame(frame);
  window.requestAnimationFrame = () => 0;
  const dialog = document.createElement('dialog');
  for (const kind of ['keydown', 'keyup', 'click', 'input', 'change', 'pointerdown', 'pointermove', 'wheel', 'hashchange', 'resize', 'visibilitychange']) {
    addEventListener(kind, (event) => event.composedPath().includes(dialog) || event.stopImmediatePropagation(), true);
  }
  document.querySelector('.app')?.setAttribute('inert', '');
  const add = (parent, tag, text) => {
    const element = parent.appendChild(document.createElement(tag));
    element.textContent = text;
    return element;
  };
  dialog.className = 'fallen';
  add(dialog, 'h2', 'The page has failed').id = 'fallen-title';
  dialog.setAttribute('aria-labelledby', 'fallen-title');
  add(dialog, 'p', 'This is a fault of the page, not of anything that you did. This is what it said:');
  add(dialog, 'pre', panic ?? String(error));
  add(dialog, 'p', 'The address of this page holds the run up to the moment before. A report with that link can be reproduced:');
  add(dialog, 'pre', location.href);
  const ways = add(dialog, 'p', '');
  ways.className = 'ways';
  const again = add(ways, 'a', 'Reload this moment');
  again.href = location.href;
  again.addEventListener('click', (event) => {
    event.preventDefault();
    location.reload();
  });
  add(ways, 'a', 'Start over').href = location.pathname + location.search;
  dialog.addEventListener('cancel', (event) => event.preventDefault());
  document.body.append(dialog);
  dialog.showModal();
  return true;
}
