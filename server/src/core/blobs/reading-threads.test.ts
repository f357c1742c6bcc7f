import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { createReadingThreads } from './reading-threads.ts';

const opened = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'radwork-reading-'));
  const threads = createReadingThreads();
  onTestFinished(async () => {
    await threads.close();
    await rm(folder, { recursive: true });
  });
  return { folder, threads };
};

const memory = (length: number) => Buffer.from(new SharedArrayBuffer(length));

test('files that are asked for at once are all read, each to its place', async () => {
  const { folder, threads } = await opened();
  const paths = ['one', 'two', 'six'].map((name) => join(folder, name));
  for (const path of paths) await writeFile(path, path.slice(-3));
  const targets = [memory(9), memory(9), memory(9), memory(9)];

  const files = paths.map((path, index) => ({ path, length: 3, at: 3 * index }));
  await Promise.all(targets.map((target) => threads.read(target, files)));

  expect(targets.map(String)).toEqual(targets.map(() => 'onetwosix'));
});

test('a file that cannot be read fails with the error of the disk, and those who ask for others get them', async () => {
  const { folder, threads } = await opened();
  const [good, lost, target] = [join(folder, 'good'), join(folder, 'lost'), memory(4)];
  await writeFile(good, 'good');

  const [failed, read] = await Promise.allSettled([
    threads.read(memory(4), [{ path: lost, length: 4, at: 0 }]),
    threads.read(target, [{ path: good, length: 4, at: 0 }]),
  ]);

  expect(failed).toMatchObject({ status: 'rejected', reason: { code: 'ENOENT', syscall: 'open' } });
  expect([read.status, target.toString()]).toEqual(['fulfilled', 'good']);
});

test('a process that waits for nothing but a file stays until it is read, and not longer', async () => {
  const { folder } = await opened();
  const [path, script] = [join(folder, 'file'), join(folder, 'script.mjs')];
  await writeFile(path, 'text');
  await writeFile(
    script,
    `import { createReadingThreads } from '${new URL('./reading-threads.ts', import.meta.url).href}';
     const target = Buffer.from(new SharedArrayBuffer(4));
     await createReadingThreads().read(target, [{ path: ${JSON.stringify(path)}, length: 4, at: 0 }]);
     console.log(target.toString());`,
  );

  const { stdout } = await promisify(execFile)(process.execPath, [script]);

  expect(stdout).toBe('text\n');
});

test('what a thread had not read when it was ended fails, and the next who asks gets another', async () => {
  const { folder, threads } = await opened();
  const path = join(folder, 'file');
  await writeFile(path, 'text');
  const file = { path, length: 4, at: 0 };
  const reading = threads.read(memory(4), [file]);

  await Promise.all([expect(reading).rejects.toThrow('ended'), threads.close()]);

  const target = memory(4);
  await threads.read(target, [file]);
  expect(target.toString()).toBe('text');
});
