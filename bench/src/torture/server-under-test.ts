import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { noCallLimits } from '../../../server/test/no-call-limits.ts';
import { deployedFlags } from '../node-flags.ts';
import { childrenOf, freeze, killAll } from './processes.ts';

const program = resolve(import.meta.dirname, '../../../server/src/main.ts');

/** A server to be killed, on one folder, with the same settings at each start. */
export type ServerUnderTest = Awaited<ReturnType<typeof createServerUnderTest>>;

export const createServerUnderTest = (
  folder: string,
  settings: Record<string, string>,
  /** Node flags in addition to those of a deployed server. */
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
    /** Kills the embedded PostgreSQL too: its first process and all children. */
    killDatabase: () => killAll(databaseProcesses(folder)),
    /** Freezes the server and its descendants, calls `then`, and kills them. */
    killAtOnce: async (then: () => void) => {
      const frozen = await freeze(child?.pid ?? 0);
      then();
      await killAll(frozen);
      await end('SIGKILL');
    },
  };
};

/** Environment of the server and its commands. */
export const environmentOf = (folder: string, settings: Record<string, string>) => ({
  PATH: process.env['PATH'],
  DATA_DIR: folder,
  PORT: '0',
  DEMO: '0',
  LOG_LEVEL: 'silent',
  ...noCallLimits,
  ...settings,
});

/** Waits until a server prints its address. Throws when it ends first. */
export const addressIn = async (child: ChildProcess): Promise<string> => {
  if (!child.stdout) throw new Error('The server says nothing');
  for await (const line of createInterface({ input: child.stdout })) {
    const [, address] = /^Radwork is on (http:\/\/[\w.:]+)/.exec(line) ?? [];
    if (!address) continue;
    // Discards later output, so that the server never blocks on it.
    child.stdout.resume();
    return address;
  }
  throw new Error('The server did not start');
};

/** The first process of the embedded PostgreSQL in a folder, and its children. */
export const databaseProcesses = (folder: string): number[] => {
  const postmaster = Number(readFileSync(join(folder, 'postgres/pg18/postmaster.pid'), 'utf8').split('\n')[0]);
  return [postmaster, ...childrenOf(postmaster)];
};
