// axe-core in a page, for the tests that let it look.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** axe as a script of the page's own world: it is not loaded from anywhere, and no policy of the page forbids it. */
export const prepare = (page) => page.addInitScript(axe);

/**
 * Adds to `found` what axe finds now, on the whole page or within `root`: each kind of fault once, with the place where
 * it was seen first.
 */
export async function look(page, found, where, root = 'html') {
  const seen = await page.evaluate(async (root) => {
    const { violations } = await window.axe.run(root === 'html' ? document : root, {
      resultTypes: ['violations'],
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, any, all, none }) => ({ id, target: target.join(' '), why: [...any, ...all, ...none].map((check) => check.message).join('; ') })),
    );
  }, root);
  for (const { id, target, why } of seen) {
    const kind = `${id}: ${target.replace(/:nth-child\(\d+\)/g, '')}`;
    if (!found.has(kind)) found.set(kind, `${kind}: ${where}: ${why}`);
  }
}
