// axe-core finds nothing: in every scene, in both themes, on a desktop and on a phone, with everything open that opens.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { look, prepare } from './axe.mjs';
import { THEMES, openSite } from './page.mjs';
import { button, fast, skip, toScene, until } from './hands.mjs';

const site = await openSite();
after(() => site.close());

for (const size of ['1280x800', '390x844']) {
  for (const theme of THEMES) {
    test(`axe finds nothing at ${size}, ${theme}, in any scene, with anything open`, () =>
      site.visit({ size, theme, prepare }, async (page) => {
        const found = new Map();
        const check = (where) => look(page, found, where);
        await check('start');
        await fast(page);
        for (const scene of [1, 2, 3, 4, 5, 6]) {
          await toScene(page, scene);
          await skip(page, 4);
          await check(`scene ${scene}`);
        }
        await toScene(page, 3);
        await skip(page, 6);
        await check('the variant, failed');
        await toScene(page, 4);
        await skip(page, 3);

        const panels = page.getByRole('tablist', { name: 'Details' }).getByRole('tab');
        for (const panel of await panels.all()) {
          await panel.click();
          await check(`panel ${await panel.innerText()}`);
        }
        await panels.first().click();

        await page.getByTestId('log').getByRole('button').last().click();
        await page.locator('.followed').waitFor();
        await check('followed');
        await page.keyboard.press('Escape');

        await button(page, 'Scale up').click();
        await toScene(page, 2);
        await check('in the past');
        const seed = page.getByLabel('Seed', { exact: true });
        await seed.fill('wrong');
        await seed.press('Enter');
        await page.getByRole('alert').waitFor();
        await check('a wrong seed');

        await button(page, 'Keys').click();
        await page.getByRole('dialog').waitFor();
        await check('the sheet of keys');
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });

        const compare = button(page, 'Compare');
        if (await compare.isVisible()) {
          await compare.click();
          await until(page, () => document.querySelectorAll('.lanes').length === 2);
          await check('compared');
        }
        assert.deepEqual([...found.values()], []);
      }));
  }
}
