// Writes the list of what the program's first part holds (script/wasm/first-part.txt): each function that is called while
// the first scene is played. `script/first-part` builds the page and runs this.
//
//   node tests/browser/first-part.mjs DIST     a release that Trunk has built and script/split.mjs has not yet split

import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Dist } from '../../script/dist.mjs';
import { parse, print } from '../../script/wasm/module.mjs';
import { FIRST_PART, label } from '../../script/wasm/names.mjs';
import { small } from '../../script/wasm/optimize.mjs';
import { counted } from '../../script/wasm/parts.mjs';
import { button, isOff, until } from './hands.mjs';
import { openSite } from './page.mjs';

/** Plays the first scene as a visitor may before anything else has loaded: *Next step* to its end, and a step back. */
export async function playFirstScene(page) {
  const told = () => page.locator('.kicker').innerText();
  await page.locator('.lanes').hover();
  for (let step = 2; /Scene 1 /.test(await told()); step += 1) {
    await button(page, 'Next step').click();
    // Each step is seen to its end: what moves is a part of it.
    await until(page, () => document.querySelector('.app').dataset.playing === 'false');
    if (step > 20) throw new Error('the first scene has no end');
  }
  await button(page, 'Back').click();
  if (await isOff(button(page, 'Next step'))) throw new Error('the first scene cannot be played again');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const dist = new Dist(process.argv[2]);
  const wasm = dist.theWasm();
  // As it will be split: wasm-opt makes one of functions that are the same.
  const module = small(parse(dist.read(wasm.file)));
  dist.replace(wasm, print(counted(module)));
  const glue = dist.theGlue();
  dist.replace(glue, dist.read(glue.file).toString().replace('wasm = instance.exports;', 'wasm = globalThis.counted = instance.exports;'));
  dist.save();

  const called = new Set();
  const site = await openSite({ dist: resolve(dist.folder) });
  // A first visit, a visit of somebody who has chosen before, and one without motion.
  const chosen = { theme: 'dark', skin: 'housekeeper', letters: 'off' };
  const visits = [{ size: '1280x800' }, { size: '390x844', chosen }, { size: '1280x800', context: { reducedMotion: 'reduce' } }];
  for (const { chosen = {}, ...visit } of visits) {
    const prepare = (page) => page.addInitScript((chosen) => {
      for (const [name, value] of Object.entries(chosen)) localStorage.setItem(`loopscope.${name}`, value);
      // The rest is said to be there at no time: nothing of it is drawn.
      addEventListener('whole', (event) => event.stopImmediatePropagation(), true);
    }, chosen);
    await site.visit({ ready: 'first', prepare, ...visit }, async (page) => {
      await playFirstScene(page);
      const found = await page.evaluate(() => Object.entries(globalThis.counted)
        .filter(([name, global]) => name.startsWith('called-') && global.value === 1)
        .map(([name]) => Number(name.slice(7))));
      for (const f of found) called.add(label(module.names.get(f)));
    });
  }
  await site.close();
  const lines = [...called].sort();
  writeFileSync(FIRST_PART, `# Functions of the program's first part, as script/first-part found them.\n${lines.join('\n')}\n`);
  console.log(`${lines.length} of ${module.code.length} functions are called in the first scene`);
}
