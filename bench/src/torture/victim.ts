import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { noCallLimits } from '../../../server/test/no-call-limits.ts';
import { deployedFlags } from '../node-flags.ts';
import { childrenOf, freeze, killAll } from './processes.ts';

const program = resolve(import.meta.dirname, '../../../server/src/main.ts');

/** A server that will be killed: on one folder, with the same settings every time it starts. */
export type Victim = Awaited<ReturnType<typeof createVictim>>;

export const createVictim = (
  folder: string,
  settings: Record<string, string>,
  /** What Node is told beside what it is told where the server runs for real. */
  nodeFlags: readonly string[] = [],
) => {
  let child: ChildProcess | undefined;
  let address = '';

  const start = async () => {
    child = spawn(process.execPath, [...deployedFlags, ...nodeFlags, program], {
      env: environmentOf(folder, settings),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    address = await addressIn(child);
  };

  const end = async (signal: NodeJS.Signals) => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  };

  return {
    start,
    address: () => address,
    pid: () => child?.pid ?? 0,
    isRunning: () => child !== undefined && child.exitCode === null && child.signalCode === null,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    /** Kills the embedded PostgreSQL as well: its first process and all that it has started. */
    killDatabase: () => killAll(databaseProcesses(folder)),
    /** Ends the server and all that it has started at one moment, in which `then` is done. */
    killAtOnce: async (then: () => void) => {
      const frozen = await freeze(child?.pid ?? 0);
      then();
      await killAll(frozen);
      await end('SIGKILL');
    },
  };
};

/** What the server and the commands beside it are started with. */
export const environmentOf = (folder: string, settings: Record<string, string>) => ({
  PATH: process.env['PATH'],
  DATA_DIR: folder,
  PORT: '0',
  DEMO: '0',
  LOG_LEVEL: 'silent',
  ...noCallLimits,
  ...settings,
});

/** Waits until a server says where it is. Throws when it ends without. */
export const addressIn = async (child: ChildProcess): Promise<string> => {
  if (!child.stdout) throw new Error('The server says nothing');
  for await (const line of createInterface({ input: child.stdout })) {
    const [, address] = /^Radwork is on (http:\/\/[\w.:]+)/.exec(line) ?? [];
    if (address) {
      child.stdout.resume();
      return address;
    }
  }
  throw new Error('The server did not start');
};

/** The first process of the embedded PostgreSQL in a folder, and those that it has started. */
export const databaseProcesses = (folder: string): number[] => {
  const postmaster = Number(readFileSync(join(folder, 'postgres/pg18/postmaster.pid'), 'utf8').split('\n')[0]);
  return [postmaster, ...childrenOf(postmaster)];
};
