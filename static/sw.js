// The page without a network. The release's name and its files are written in by the build (script/finish.mjs).
//
// A release is kept whole, in a cache of its own, or not at all: every file is compared with its hash. The visit after
// a new release was found gets all of it; a page that is open goes on with its own files, which are named by their
// content, so that no visit ever mixes two releases.

const RELEASE = '%RELEASE%';
const FILES = '%FILES%';

const PREFIX = 'loopscope-';
const CACHE = PREFIX + RELEASE;
const at = (file) => new URL(file, self.registration.scope).href;

self.addEventListener('install', (event) => {
  event.waitUntil((async () => {
    const cache = await caches.open(CACHE);
    const requests = FILES.map(([file, integrity]) => new Request(at(file), { cache: 'no-cache', integrity }));
    await cache.addAll(requests).catch(async (error) => {
      await caches.delete(CACHE);
      throw error;
    });
    await self.skipWaiting();
  })());
});

self.addEventListener('activate', (event) => {
  event.waitUntil((async () => {
    // This release and the one before, which an open page may still be using. (Caches are listed in the order of making.)
    const ours = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
    await Promise.all(ours.slice(0, -1).map((name) => caches.delete(name)));
  })());
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin) return;
  if (request.mode === 'navigate') {
    const path = url.origin + url.pathname;
    if (path === at('./') || path === at('index.html')) event.respondWith(kept(at('index.html'), request));
  } else {
    event.respondWith(kept(url.origin + url.pathname, request));
  }
});

/** From this release, or from the one before if the page is still of that; from the network where neither has it. */
async function kept(address, request) {
  const cache = await caches.open(CACHE);
  return (await cache.match(address)) ?? (await caches.match(address)) ?? fetch(request);
}
