// A static server that treats the built page as GitHub Pages would: under a sub-path, gzipped, with the right types.
//
//   node tests/browser/server.mjs [PORT]     look at dist/ as it will be when deployed

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pipeline } from 'node:stream';
import { createGzip } from 'node:zlib';

export const BASE = '/loopscope/';
export const DIST = resolve(process.env.LOOPSCOPE_DIST ?? fileURLToPath(new URL('../../dist', import.meta.url)));

const TYPES = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};
// Compressed already.
const AS_IS = new Set(['.png', '.woff2', '.ico']);

/** Serves `dist` under `BASE`; port 0 is any free one. Resolves to `{ url, close }`. */
export async function serve({ dist = DIST, port = 0 } = {}) {
  await stat(join(dist, 'index.html')).catch(() => {
    throw new Error(`there is no page in ${dist}: run script/build first`);
  });
  const server = createServer((request, response) => {
    answer(dist, request, response).catch((error) => {
      response.writeHead(500).end(String(error));
    });
  });
  await new Promise((done, failed) => server.once('error', failed).listen(port, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${server.address().port}${BASE}`,
    close: () => new Promise((done) => server.close(done).closeAllConnections()),
  };
}

async function answer(dist, request, response) {
  const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
  if (`${path}/` === BASE) return response.writeHead(301, { location: BASE }).end();
  // Anything outside the sub-path is not ours: an absolute address in the page shows up as a 404.
  if (!path.startsWith(BASE)) return response.writeHead(404).end('not found');

  let file = resolve(dist, path.slice(BASE.length));
  if (file !== dist && !file.startsWith(dist + sep)) return response.writeHead(404).end('not found');
  if (path.endsWith('/')) file = join(file, 'index.html');
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) return response.writeHead(404).end('not found');

  const extension = extname(file);
  const gzip = !AS_IS.has(extension) && /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
  response.writeHead(200, {
    'content-type': TYPES[extension] ?? 'application/octet-stream',
    'cache-control': 'max-age=600',
    vary: 'accept-encoding',
    ...(gzip ? { 'content-encoding': 'gzip' } : { 'content-length': found.size }),
  });
  if (request.method === 'HEAD') return response.end();
  const ignore = () => {}; // the browser went away
  if (gzip) pipeline(createReadStream(file), createGzip(), response, ignore);
  else pipeline(createReadStream(file), response, ignore);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { url } = await serve({ port: Number(process.argv[2] ?? 0) });
  console.log(url);
}
