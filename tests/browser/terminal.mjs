// The terminal's program, for what the page and it must agree on.

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

/** $CONTROL_LOOP, or the terminal built from these sources: at once where `cargo test` has built it. */
async function find() {
  if (process.env.CONTROL_LOOP) return process.env.CONTROL_LOOP;
  const args = ['build', '--quiet', '--locked', '--bin', 'control-loop', '--message-format=json-render-diagnostics'];
  const { stdout } = await run('cargo', args, { cwd: root, maxBuffer: 1 << 26 });
  const messages = stdout.trim().split('\n').map((line) => JSON.parse(line));
  return messages.find((message) => message.executable && message.target.name === 'control-loop').executable;
}

/** Finds the terminal, and resolves to a function that runs it and resolves to the bytes that it prints. */
export async function openTerminal() {
  const terminal = await find();
  return async (...args) => (await run(terminal, args, { maxBuffer: 1 << 26, encoding: 'buffer' })).stdout;
}
