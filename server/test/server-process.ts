import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { compileCache } from './compile-cache.ts';
import { noCallLimits } from './no-call-limits.ts';

const main = resolve(import.meta.dirname, '../src/main.ts');

export type ServerProcess = {
  child: ChildProcess;
  lines: AsyncIterator<string>;
  ended: Promise<{ code: number | null; complaint: string }>;
};

/** Starts the server like `npm start`, with only these settings. It ends with the test at the latest. */
export const startServer = (settings: Record<string, string>): ServerProcess => {
  const child = spawn(process.execPath, [main], {
    env: {
      HOST: '127.0.0.1',
      PORT: '0',
      DEMO: '0',
      LOG_LEVEL: 'silent',
      ...compileCache,
      ...noCallLimits,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  const ended = once(child, 'close').then(() => ({ code: child.exitCode, complaint }));
  return { child, lines: createInterface(child.stdout)[Symbol.asyncIterator](), ended };
};

/** Reads the output up to the line with this beginning. */
export const lineStarting = async ({ lines, ended }: ServerProcess, words: string): Promise<string> => {
  for (;;) {
    const { value, done } = await lines.next();
    if (done) throw new Error(`The server ended without saying "${words}", but: ${(await ended).complaint}`);
    if (value.startsWith(words)) return value;
  }
};

/** Returns the URL that a server prints. */
export const addressOf = async (server: ServerProcess): Promise<string> =>
  (await lineStarting(server, 'Radwork is on ')).replace('Radwork is on ', '');
