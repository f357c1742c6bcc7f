import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { noCallLimits } from './no-call-limits.ts';

const main = resolve(import.meta.dirname, '../src/main.ts');

export type ServerProcess = {
  child: ChildProcess;
  lines: AsyncIterator<string>;
  ended: Promise<{ code: number | null; complaint: string }>;
};

/** Starts the server as `npm start` does, with these settings and none of ours. It ends with the test at the latest. */
export const startServer = (settings: Record<string, string>): ServerProcess => {
  const child = spawn(process.execPath, [main], {
    env: { HOST: '127.0.0.1', PORT: '0', DEMO: '0', LOG_LEVEL: 'silent', ...noCallLimits, ...settings },
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

/** Reads what a server says up to the line that starts so. */
export const lineStarting = async ({ lines, ended }: ServerProcess, words: string): Promise<string> => {
  for (;;) {
    const { value, done } = await lines.next();
    if (done) throw new Error(`The server ended without saying "${words}", but: ${(await ended).complaint}`);
    if (value.startsWith(words)) return value;
  }
};

/** The address that a server says it is on. */
export const addressOf = async (server: ServerProcess): Promise<string> =>
  (await lineStarting(server, 'Radwork is on ')).replace('Radwork is on ', '');
