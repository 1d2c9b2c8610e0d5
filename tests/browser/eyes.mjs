// What the eye finds on a stage: tokens and where they are, text that is cut off, boxes out of view. Shared by the tests.

/** Every token that is shown: what it is, and where. */
export const tokens = (page) =>
  page.locator('.token').evaluateAll((found) =>
    found
      .map((token) => {
        const { x, y, width, height } = token.firstChild.getBoundingClientRect();
        return { kind: token.dataset.token, key: token.dataset.key, text: token.textContent, x, y, width, height, shown: token.firstChild.checkVisibility({ opacityProperty: true, visibilityProperty: true }) };
      })
      .filter((token) => token.shown),
  );

/** Is this box within that one? */
export const isInside = (box, around) =>
  box.x >= around.x - 1 && box.y >= around.y - 1 && box.x + box.width <= around.x + around.width + 1 && box.y + box.height <= around.y + around.height + 1;

/** Text in the stage that is cut off without saying so, or that leaves the box it belongs to. Runs in the page. */
export function clipped() {
  const faults = [];
  const texts = document.createTreeWalker(document.querySelector('.lanes'), NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const parent = text.parentElement;
    const shown = parent.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    if (!text.data.trim() || !shown || parent.closest('.tokens, .visually-hidden')) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const box = range.getBoundingClientRect();
    const beyond = (of) => {
      const it = of.getBoundingClientRect();
      return { wide: Math.max(it.left - box.left, box.right - it.right), high: Math.max(it.top - box.top, box.bottom - it.bottom) };
    };
    const name = (it) => `${it.tagName.toLowerCase()}.${[...it.classList].join('.')}`;
    const owner = parent.closest('.slot, .object, .door, .chip, .pod, .dirty, .delay, .shelf, .code li, td, th, footer, header, .group, .downtime, .road, .lane');
    for (let it = parent; it; it = it === owner ? null : it.parentElement) {
      const style = getComputedStyle(it);
      const { wide, high } = beyond(it);
      if (style.overflowX !== 'visible' && wide > 1) {
        const told = style.textOverflow === 'ellipsis' && it.closest('[title]');
        if (!told) faults.push(`“${text.data}” is cut off by ${name(it)}: ${Math.round(wide)} px`);
        break;
      }
      // A line is higher than its letters.
      if (style.overflowY !== 'visible' && high > 4) faults.push(`“${text.data}” is cut off by ${name(it)}: ${Math.round(high)} px in height`);
      if (it === owner && (wide > 2 || high > 4)) faults.push(`“${text.data}” leaves ${name(it)} by ${Math.round(Math.max(wide, high))} px`);
    }
  }
  return faults;
}

/** Is all of it within the view? */
export const inView = (page, selector) =>
  page.locator(selector).first().evaluate((it) => {
    const { top, bottom, left, right } = it.getBoundingClientRect();
    return { fits: top >= -1 && left >= -1 && bottom <= innerHeight + 1 && right <= innerWidth + 1, top, bottom, innerHeight };
  });
