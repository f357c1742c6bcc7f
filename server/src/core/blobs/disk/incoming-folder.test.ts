import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createDiskThreads } from './disk-threads.ts';
import { openIncomingFolder } from './incoming-folder.ts';

/** A folder in which another server has begun to receive a file. `sayOf` sets the identity of that server. */
const folderOfAnother = async (sayOf: (ownWords: string) => string) => {
  const root = await mkdtemp(join(tmpdir(), 'radwork-incoming-'));
  const threads = createDiskThreads();
  const ours = await openIncomingFolder(root, { threads, isDurable: true });
  onTestFinished(async () => {
    await ours.close();
    await threads.close();
    await rm(root, { recursive: true });
  });
  const [own = ''] = await readdir(join(root, 'servers'));
  const words = sayOf(await readFile(join(root, 'servers', own), 'utf8'));
  const other = randomUUID();
  await writeFile(join(root, 'servers', other), words);
  await writeFile(join(root, 'incoming', `${other}-${randomUUID()}`), 'half a file');
  return { ours, says: join(root, 'servers', other), left: () => readdir(join(root, 'incoming')) };
};

/** Returns the identity of a server on the same machine with another process id. */
const withProcess = (pid: number | undefined) => (ownWords: string) => ownWords.replace(/^\d+/, String(pid));
const elsewhere = (ownWords: string) => `${ownWords}-of-another-machine`;
const hoursAgo = new Date(Date.now() - 3_600_000);

test('removes a partly received file as soon as its server has ended', async () => {
  const ended = spawnSync(process.execPath, ['--eval', '']).pid;
  const { ours, left } = await folderOfAnother(withProcess(ended));

  expect(await ours.removeLeftovers()).toBe(1);
  expect(await left()).toEqual([]);
});

test('does not remove a file that a running server is receiving', async () => {
  const { ours, left } = await folderOfAnother(withProcess(process.ppid));

  expect(await ours.removeLeftovers()).toBe(0);
  expect(await left()).toHaveLength(1);
});

test('treats an earlier server with the same process id as ended, and removes its files', async () => {
  const { ours, left } = await folderOfAnother((ownWords) => ownWords);

  expect(await ours.removeLeftovers()).toBe(1);
  expect(await left()).toEqual([]);
});

test('a server on another machine counts as running by its last heartbeat, not by its process id', async () => {
  const { ours, says, left } = await folderOfAnother(elsewhere);

  expect(await ours.removeLeftovers()).toBe(0);
  await utimes(says, hoursAgo, hoursAgo);
  expect(await ours.removeLeftovers()).toBe(1);
  expect(await left()).toEqual([]);
});

test('a server whose clock is an hour ahead does not remove files of a running server', async () => {
  const { ours, left } = await folderOfAnother(elsewhere);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });

  const removed = await ours.removeLeftovers().finally(() => vi.useRealTimers());

  expect(removed).toBe(0);
  expect(await left()).toHaveLength(1);
});

test('removes a file of an unknown server', async () => {
  const { ours, says, left } = await folderOfAnother(elsewhere);
  await rm(says);

  expect(await ours.removeLeftovers()).toBe(1);
  expect(await left()).toEqual([]);
});

test('does not remove a file that this server is receiving', async () => {
  const { ours } = await folderOfAnother(elsewhere);
  const half = Buffer.alloc(1 << 20, 'half');
  async function* bytes() {
    yield half;
    await ours.removeLeftovers();
    yield Buffer.from('whole');
  }

  const { path, written } = await ours.receive(bytes(), 2 << 20);
  await written;

  expect(await readFile(path, 'utf8')).toBe(`${half.toString()}whole`);
});
