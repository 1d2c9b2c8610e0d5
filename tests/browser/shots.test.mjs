// Pictures for whoever looks at the page: tests/browser/shots. What is asserted is that the moments are reached.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { SIZES, THEMES, openSite, shoot } from './page.mjs';
import { button, midBurst, read, seek, skip, toScene, until } from './hands.mjs';

const site = await openSite();
after(() => site.close());

for (const size of SIZES) {
  for (const theme of THEMES) {
    test(`pictures at ${size}, ${theme}: start, mid-burst, followed, compared, failed, at rest`, () =>
      site.visit({ size, theme }, async (page) => {
        const picture = (name) => shoot(page, `${name}-${size}-${theme}`);
        await picture('start');

        await midBurst(page);
        await picture('mid-burst');

        await page.getByTestId('log').getByRole('button').last().click();
        await page.locator('.followed').waitFor();
        await page.evaluate(() => scrollTo(0, 0));
        await picture('followed');
        await page.keyboard.press('Escape');

        const compare = button(page, 'Compare');
        if (await compare.isVisible()) {
          await compare.click();
          await until(page, () => document.querySelectorAll('.lanes').length === 2);
          await shoot(page, `compared-${size}-${theme}`, { fullPage: true });
          await compare.click();
        }

        await toScene(page, 3);
        await skip(page, 6);
        assert.match((await read(page)).caption, /node was not ready/);
        await picture('variant-failed');

        await toScene(page, 6);
        await seek(page, 1.01);
        assert.equal((await read(page)).pace, 'at rest');
        await picture('at-rest');
      }));
  }
}
