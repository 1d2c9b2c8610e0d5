// Makes a built page's scripts and styles small: no comments, no spaces, sheets that are loaded together in one file.
//
//   node script/minify.mjs dist

import { execFileSync } from 'node:child_process';
import { Dist } from './dist.mjs';

/** What is styled there is drawn with the rest of the program (static/boot.js). */
const LATER = ['informed', 'controls', 'panels', 'console'];

const dist = new Dist(process.argv[2] ?? 'dist');
const minified = (loader, content) => execFileSync('esbuild', ['--minify', `--loader=${loader}`, '--target=es2022,chrome115,firefox115,safari16.4'], { input: content, maxBuffer: 1 << 26 });

for (const script of dist.loaded(/<script[^>]*\ssrc="[^>]*>|<link rel="modulepreload"[^>]*>/g)) {
  dist.replace(script, minified('js', dist.read(script.file)));
}

// Their order stays: later rules win.
const isLater = ({ file }) => LATER.some((name) => file.startsWith(`${name}-`));
const groups = [];
for (const sheet of dist.loaded(/<link rel="stylesheet"[^>]*>/g)) {
  const group = groups.at(-1);
  if (group && isLater(group[0]) === isLater(sheet)) group.push(sheet);
  else groups.push([sheet]);
}
for (const [sheet, ...others] of groups) {
  const content = Buffer.concat([sheet, ...others].map(({ file }) => dist.read(file)));
  for (const { tag, file } of others) {
    dist.page = dist.page.replace(`${tag}\n`, '');
    dist.remove(file);
  }
  const tag = dist.replace(sheet, minified('css', content));
  if (isLater(sheet)) dist.page = dist.page.replace(tag, () => tag.replace('rel="stylesheet"', 'rel="later-stylesheet"'));
}
dist.save();
