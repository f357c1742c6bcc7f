import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { callsIn } from '#test/traced-calls.ts';

const main = resolve(import.meta.dirname, 'main.ts');
const canTrace = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0;

/** Starts a server on an empty folder under strace, and waits until it is ready. Returns the system calls. */
const firstStart = async (dataDir: string, log: string): Promise<string[]> => {
  const traced = 'trace=mkdir,mkdirat,rename,renameat,renameat2,link,linkat,fsync';
  const settings = [`DATA_DIR=${dataDir}`, 'PORT=0', 'DEMO=0', 'LOG_LEVEL=silent'].flatMap((one) => ['-E', one]);
  const args = ['-f', '--seccomp-bpf', '-y', '-e', traced, '-o', log, ...settings, process.execPath, main];
  const child = spawn('strace', args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const ended = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) if (line.startsWith('Radwork is on')) break;
  const calls = callsIn(readFileSync(log, 'utf8'));
  if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
  await ended;
  return calls;
};

/** Returns whether a path was created, and whether the folder that contains it was synced after that. */
const fateOf = (path: string, calls: readonly string[]) => {
  const index = calls.findIndex((call) => /^(mkdir|rename|link)/.test(call) && call.includes(`"${path}"`));
  const isSynced = calls.slice(index).some((call) => call.startsWith('fsync') && call.includes(`<${dirname(path)}>`));
  return { path, isMade: index >= 0, isSynced };
};

test.skipIf(!canTrace)(
  'a first start syncs all its files to disk before it reports ready (skipped without strace)',
  { timeout: 120_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'radwork-first-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
    const dataDir = join(folder, 'radwork/data');
    const expectedPaths = [
      'postgres',
      'postgres/pg18',
      'secret-key',
      'archive',
      'archive/incoming',
      'archive/installation',
    ];
    const paths = [dirname(dataDir), dataDir, ...expectedPaths.map((name) => join(dataDir, name))];

    const calls = await firstStart(dataDir, join(folder, 'log'));

    expect(paths.map((path) => fateOf(path, calls))).toEqual(
      paths.map((path) => ({ path, isMade: true, isSynced: true })),
    );
  },
);
