// Finishes a release that Trunk has built: a strict Content-Security-Policy, the release's name, the service worker.
// (Not in `trunk serve`: its reload script is an inline one, and a kept page is none that changes under one's hands.)
//
//   node script/finish.mjs dist
//
// Done again it changes nothing.

import { readFileSync } from 'node:fs';
import { Dist, hash, integrity } from './dist.mjs';

const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types loopscope',
].join('; ');

const dist = new Dist(process.argv[2] ?? 'dist');
const worker = new URL('../static/sw.js', import.meta.url);

// What is checked here would fail in the browser, but only when somebody looks.
let { page } = dist;
if (/<script(?![^>]*\ssrc=)/.test(page)) throw new Error('index.html has an inline script');
if (/<[^>]+\s(style|on[a-z]+)=/.test(page.replace(/<!--.*?-->/gs, ''))) throw new Error('index.html has a style or a handler as an attribute');
if (/(src|href)="(https?:)?\/\//.test(page)) throw new Error('index.html loads something from another origin');

// What is seen at once comes first: the boot script lets these two go on when the page has been painted.
page = page.replace(/<link rel="(modulepreload|preload)"/g, '<link rel="later-$1"');

page = page.replace(/<meta (http-equiv="Content-Security-Policy"|name="release")[^>]*>\n/g, '');
const files = dist.files().filter((file) => file !== 'sw.js');
const content = (file) => (file === 'index.html' ? page : dist.read(file));
const release = hash('sha256', files.map((file) => `${file} ${hash('sha256', content(file), 'hex')}\n`).join(''), 'hex').slice(0, 16);

page = page.replace('<meta charset="utf-8">\n', (charset) =>
  `${charset}<meta http-equiv="Content-Security-Policy" content="${POLICY}">\n<meta name="release" content="${release}">\n`);
if (!page.includes(release)) throw new Error('index.html has no place for the policy: <meta charset="utf-8"> on a line of its own');
dist.page = page;
dist.save();

const kept = files.map((file) => [file, integrity(dist.read(file))]);
const script = readFileSync(worker, 'utf8')
  .replace('%RELEASE%', release)
  .replace("'%FILES%'", JSON.stringify(kept, null, 2));
dist.write('sw.js', script);
console.log(`release ${release}: ${kept.length} files kept for visits without a network`);
