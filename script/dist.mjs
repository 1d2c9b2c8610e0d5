// A page that Trunk has built: its files, named by their content and checked by `integrity` where index.html loads them.

import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const hash = (algorithm, data, encoding) => createHash(algorithm).update(data).digest(encoding);
export const integrity = (data) => `sha384-${hash('sha384', data, 'base64')}`;

export class Dist {
  constructor(folder) {
    this.folder = folder;
    this.page = this.read('index.html').toString();
  }

  read(file) {
    return readFileSync(join(this.folder, file));
  }

  write(file, content) {
    writeFileSync(join(this.folder, file), content);
  }

  remove(file) {
    rmSync(join(this.folder, file));
  }

  /** Writes index.html as it is now. */
  save() {
    this.write('index.html', this.page);
  }

  /** All files but hidden ones, in the order of their names. */
  files() {
    const list = (folder, prefix) => readdirSync(folder).flatMap((name) => {
      if (name.startsWith('.')) return [];
      const path = join(folder, name);
      return statSync(path).isDirectory() ? list(path, `${prefix}${name}/`) : [`${prefix}${name}`];
    });
    return list(this.folder, '').sort();
  }

  /** The elements of index.html that match `pattern`, with the file each one loads. */
  loaded(pattern) {
    return [...this.page.matchAll(pattern)].map(([tag]) => ({ tag, file: /(?:src|href)="\.\/([^"]+)"/.exec(tag)[1] }));
  }

  /** The one element that matches `pattern`. */
  theLoaded(pattern) {
    const found = this.loaded(pattern);
    if (found.length !== 1) throw new Error(`index.html has ${found.length} elements like ${pattern}, not one`);
    return found[0];
  }

  theWasm() {
    return this.theLoaded(/<link rel="preload"[^>]*\.wasm"[^>]*>/g);
  }

  /** wasm-bindgen's script. */
  theGlue() {
    return this.theLoaded(/<link rel="modulepreload"[^>]*>/g);
  }

  /** Puts `content` in a file named by it: `reader.js` becomes `reader-HASH.js`. Returns the name. */
  name(file, content) {
    const named = file.replace(/(?=\.\w+$)/, `-${hash('sha256', content, 'hex').slice(0, 16)}`);
    rmSync(join(this.folder, file), { force: true });
    this.write(named, content);
    return named;
  }

  /**
   * Puts `content` in a file of its own, named by it (`KIND-HASH.EXTENSION`), and has `tag` load that one; the file that
   * it loaded before is gone. Returns the element as it is now.
   */
  replace({ tag, file }, content, name = file.replace(/-[0-9a-f]{8,16}(?=[._])/, '-%')) {
    const named = name.replace('%', hash('sha256', content, 'hex').slice(0, 16));
    if (named !== file) this.remove(file);
    this.write(named, content);
    const now = tag.replace(`./${file}`, `./${named}`).replace(/integrity="[^"]*"/, `integrity="${integrity(content)}"`);
    this.page = this.page.replaceAll(tag, () => now);
    return now;
  }
}
