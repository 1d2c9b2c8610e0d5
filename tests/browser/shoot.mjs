// Pictures of the page for whoever works on it. Needs a built page (script/build) or the address of a running one.
//
//   node tests/browser/shoot.mjs --size 390x844 --theme dark --click 'Next step' --wait 500 --shot later
//
//   --url ADDRESS         a running page, for example script/server's; else dist/ (or --dist DIR) is served
//   --url-fragment '#…'   what follows the address
//   --out DIR             where the pictures go (tests/browser/shots)
//   --name NAME           what they are called (page): NAME-SIZE-THEME.png
//   --size 1280x800       may be given several times, or `all`
//   --theme light         may be given several times, or `all`
//   --full                the whole page, not only what is in view
//   --still               with prefers-reduced-motion
// Done in the order given, before the last picture:
//   --click NAME          the button, tab, link or the like with this accessible name (or `css=…`)
//   --fill 'LABEL=TEXT'   the field with this label
//   --key NAME            a key, for example ArrowRight
//   --wait MS             real time passes
//   --print CSS           prints the text of what the selector finds
//   --shot NAME           a picture in between

import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { SHOTS, SIZES, THEMES, openSite, shoot } from './page.mjs';

const string = { type: 'string' };
const strings = { type: 'string', multiple: true };
const { values, tokens } = parseArgs({
  tokens: true,
  options: {
    url: string, dist: string, 'url-fragment': string, out: string, name: string,
    size: strings, theme: strings,
    full: { type: 'boolean' }, still: { type: 'boolean' },
    click: strings, fill: strings, key: strings, wait: strings, print: strings, shot: strings,
  },
});

const list = (given, all) => (given?.includes('all') ? all : (given ?? [all[0]]));
const dir = resolve(values.out ?? SHOTS);
const name = values.name ?? 'page';
const ROLES = ['button', 'tab', 'link', 'switch', 'checkbox', 'radio', 'menuitem', 'option'];

const actions = {
  async click(page, what) {
    if (what.startsWith('css=')) return page.locator(what.slice(4)).first().click();
    const exact = ROLES.map((role) => page.getByRole(role, { name: what, exact: true }));
    const loose = ROLES.map((role) => page.getByRole(role, { name: what }));
    for (const found of [...exact, ...loose, page.getByText(what)]) {
      if (await found.count()) return found.first().click({ timeout: 5000 });
    }
    throw new Error(`there is nothing to click called '${what}'`);
  },
  fill(page, what) {
    const at = what.indexOf('=');
    return page.getByLabel(what.slice(0, at)).first().fill(what.slice(at + 1));
  },
  key: (page, what) => page.keyboard.press(what),
  wait: (page, what) => page.waitForTimeout(Number(what)),
  async print(page, what) {
    for (const text of await page.locator(what).allInnerTexts()) console.log(`${what}: ${text}`);
  },
};

const site = await openSite({ url: values.url, dist: values.dist && resolve(values.dist) });
try {
  for (const size of list(values.size, SIZES)) {
    for (const theme of list(values.theme, THEMES)) {
      const picture = async (page, label) =>
        console.log(await shoot(page, `${label}-${size}-${theme}`, { dir, fullPage: values.full }));
      const context = values.still ? { reducedMotion: 'reduce' } : {};
      await site.visit({ size, theme, fragment: values['url-fragment'], context }, async (page) => {
        for (const { name: action, value } of tokens) {
          if (action === 'shot') await picture(page, `${name}-${value}`);
          else await actions[action]?.(page, value);
        }
        await picture(page, name);
      });
    }
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await site.close();
}
