import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { claimStore } from './claim-store.ts';
import { noCallLimits } from './no-call-limits.ts';
import type { World } from './world.ts';

const main = resolve(import.meta.dirname, '../src/main.ts');

/**
 * Starts the server as a separate process on the database and files of a world. The sessions of the world's users are
 * valid there. `under` is a program, with arguments, that runs the server. The server ends with the test.
 */
export const spawnServer = async (world: World, under: readonly string[] = []) => {
  await claimStore(world);
  const [program, ...args] = [...under, process.execPath, main];
  const child = spawn(program ?? process.execPath, args, {
    env: {
      PATH: process.env.PATH,
      DATA_DIR: world.dataDir,
      DATABASE_URL: world.url.replace('@/', '@localhost/'),
      HOST: '127.0.0.1',
      PORT: '0',
      DEMO: '0',
      LOG_LEVEL: 'silent',
      ...noCallLimits,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    // The server has a process group of its own, because the wrapping program may not pass on signals.
    detached: true,
  });
  const ended = once(child, 'exit');
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  const stop = async () => {
    if (isRunning() && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
    await ended;
  };
  onTestFinished(stop);
  for await (const line of createInterface({ input: child.stdout })) {
    const [, address] = /^Radwork is on (http:\S+)/.exec(line) ?? [];
    if (address) return { address, stop, isRunning };
  }
  throw new Error('The server did not start');
};
