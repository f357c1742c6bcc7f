import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { compileCache } from './compile-cache.ts';

type Name = 'backup' | 'restore' | 'verify' | 'verify-audit' | 'upkeep' | 'encrypt-store' | 'doctor';

/** Starts a command of server/src/commands like npm, with only these settings. It ends with the test at the latest. */
export const startCommand = (name: Name, settings: Record<string, string>, ...args: string[]) => {
  const child = spawn(process.execPath, [resolve(import.meta.dirname, `../src/commands/${name}.ts`), ...args], {
    env: { ...compileCache, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]).then(
    ([output, complaint]) => ({
      code: child.exitCode,
      said: output,
      complaint,
    }),
  );
  return { child, ended };
};

/** Runs a command to its end. */
export const runCommand = (...command: Parameters<typeof startCommand>) => startCommand(...command).ended;
