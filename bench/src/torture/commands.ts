import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { environmentOf } from './server-under-test.ts';

/** Runs a server command on its folder, as an operator does. Returns exit code and output. */
export const runCommand = async (
  name: 'verify' | 'verify-audit' | 'upkeep' | 'backup',
  args: readonly string[],
  folder: string,
  settings: Record<string, string>,
) => {
  const program = resolve(import.meta.dirname, `../../../server/src/commands/${name}.ts`);
  const child = spawn(process.execPath, [program, ...args], {
    env: environmentOf(folder, settings),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return { code: child.exitCode, said: output };
};
