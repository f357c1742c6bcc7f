import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { querySql } from '#test/setup.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';

const newFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'radwork-embedded-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
};

const start = (folder: string) => startEmbeddedPostgres(folder, { isThrowaway: true });

const postmasterOf = (folder: string) =>
  Number(readFileSync(join(folder, 'pg18/postmaster.pid'), 'utf8').split('\n')[0]);

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** Repeats a query until it succeeds, and returns its result. */
const untilAnswered = async <T>(query: () => Promise<T>): Promise<T> => {
  for (;;) {
    const answer = await query().catch(() => undefined);
    if (answer !== undefined) return answer;
    await wait(50);
  }
};

const whenGone = async (pid: number) => {
  while (isAlive(pid)) await wait(20);
};

/** Starts the server from another process, and kills that process later. */
const startElsewhere = async (folder: string): Promise<ChildProcess> => {
  const module = resolve(import.meta.dirname, 'embedded-postgres.ts');
  const script = `
    const { startEmbeddedPostgres } = await import(${JSON.stringify(module)});
    const postgres = await startEmbeddedPostgres(${JSON.stringify(folder)}, { isThrowaway: true });
    console.log('up');
    process.once('SIGTERM', () => postgres.stop().then(() => process.exit(0)));
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const [line] = await once(createInterface(child.stdout), 'line');
  expect(line).toBe('up');
  return child;
};

test('data of the embedded database survives a stop and a start', async () => {
  const folder = await newFolder();
  const first = await start(folder);
  await querySql(first.url('postgres'), 'create table notes as select 42 as answer');
  const postmaster = postmasterOf(folder);
  await first.stop();
  const wasAlive = isAlive(postmaster);

  const second = await start(folder);
  const rows = await querySql(second.url('postgres'), 'select answer from notes');
  await second.stop();

  expect(wasAlive).toBe(false);
  expect(rows).toEqual([{ answer: 42 }]);
});

test('the embedded database stops when our process is killed, and the next start works', async () => {
  const folder = await newFolder();
  const child = await startElsewhere(folder);
  const postmaster = postmasterOf(folder);

  child.kill('SIGKILL');
  await whenGone(postmaster);
  const next = await start(folder);
  const rows = await querySql(next.url('postgres'), 'select 1 as one');
  await next.stop();

  expect(rows).toEqual([{ one: 1 }]);
});

test('a start right after a kill waits until the old database server has stopped', async () => {
  const folder = await newFolder();
  const child = await startElsewhere(folder);
  const postmaster = postmasterOf(folder);
  process.kill(postmaster, 'SIGSTOP');
  child.kill('SIGKILL');
  setTimeout(() => process.kill(postmaster, 'SIGCONT'), 400);

  const next = await start(folder);
  const isNew = postmasterOf(folder) !== postmaster;
  await next.stop();

  expect(isNew).toBe(true);
});

test('two processes that start simultaneously on an empty folder share one database server', async () => {
  const folder = await newFolder();

  const children = await Promise.all([startElsewhere(folder), startElsewhere(folder)]);
  const third = await start(folder);
  const rows = await querySql(third.url('postgres'), 'select 1 as one');
  const postmaster = postmasterOf(folder);
  for (const child of children) child.kill('SIGTERM');
  await Promise.all(children.map((child) => once(child, 'exit')));
  await third.stop();

  expect(rows).toEqual([{ one: 1 }]);
  await whenGone(postmaster);
});

test('if the folder path is too long for a socket, another folder is used, and the next start finds that folder', async () => {
  const folder = join(await newFolder(), 'a'.repeat(60), 'b'.repeat(60));

  const first = await start(folder);
  const second = await start(folder);
  const rows = await querySql(second.url('postgres'), 'select 1 as one');
  await second.stop();
  await first.stop();

  expect(second.url('postgres')).toBe(first.url('postgres'));
  expect(rows).toEqual([{ one: 1 }]);
  await rm(decodeURIComponent(/host=([^&]+)/.exec(first.url('x'))?.[1] ?? ''), { recursive: true });
});

test('stopping a database server that has already died returns immediately', async () => {
  const folder = await newFolder();
  const postgres = await start(folder);
  const postmaster = postmasterOf(folder);
  process.kill(postmaster, 'SIGQUIT');
  await whenGone(postmaster);

  await expect(postgres.stop()).resolves.toBeUndefined();
});

test('a killed database server restarts with all committed data', async () => {
  const folder = await newFolder();
  // A server for throwaway data would not sync commits to disk, so this test uses a normal one.
  const postgres = await startEmbeddedPostgres(folder);
  await querySql(postgres.url('postgres'), 'create table notes as select 42 as answer');
  const killed = postmasterOf(folder);

  process.kill(killed, 'SIGKILL');
  await whenGone(killed);
  const rows = await untilAnswered(() => querySql(postgres.url('postgres'), 'select answer from notes'));
  const successor = postmasterOf(folder);
  await postgres.stop();

  expect(rows).toEqual([{ answer: 42 }]);
  expect(successor).not.toBe(killed);
  expect(isAlive(successor)).toBe(false);
});

test('two processes share one database server, and when its owner ends, the other process starts its own', async () => {
  const folder = await newFolder();
  const other = await startElsewhere(folder);
  const postgres = await start(folder);

  other.kill('SIGTERM');
  await once(other, 'exit');
  const rows = await untilAnswered(() => querySql(postgres.url('postgres'), 'select 1 as one'));
  await postgres.stop();

  expect(rows).toEqual([{ one: 1 }]);
});

/** A data folder as after a power cut: the lock files remain. `changeContent` changes their content. */
const afterPowerCut = async (changeContent: (words: string) => string): Promise<string> => {
  const folder = await newFolder();
  const locks = ['postmaster.pid', '.s.PGSQL.5432.lock'].map((name) => join(folder, 'pg18', name));
  const postgres = await start(folder);
  const words = locks.map((lock) => readFileSync(lock, 'utf8'));
  await postgres.stop();
  for (const [index, lock] of locks.entries()) writeFileSync(lock, changeContent(words[index] ?? ''));
  return folder;
};

const answersOf = async (folder: string) => {
  const postgres = await start(folder);
  return querySql(postgres.url('postgres'), 'select 1 as one').finally(postgres.stop);
};

test('starts after a power cut although another process has the process id in the lock file', async () => {
  const stranger = spawn('sleep', ['60']);
  onTestFinished(() => void stranger.kill());
  const folder = await afterPowerCut((words) => words.replace(/^\d+/, String(stranger.pid)));

  const rows = await answersOf(folder);

  expect(rows).toEqual([{ one: 1 }]);
});

test('starts after a power cut although its lock files are empty', async () => {
  const folder = await afterPowerCut(() => '');

  const rows = await answersOf(folder);

  expect(rows).toEqual([{ one: 1 }]);
}, 30_000);
