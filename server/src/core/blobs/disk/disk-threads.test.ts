import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { createDiskThreads } from './disk-threads.ts';

const opened = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'radwork-threads-'));
  const threads = createDiskThreads();
  onTestFinished(async () => {
    await threads.close();
    await rm(folder, { recursive: true });
  });
  return { folder, threads };
};

const shared = (text: string) => {
  const bytes = new Uint8Array(new SharedArrayBuffer(text.length));
  bytes.set(Buffer.from(text));
  return bytes;
};

test('a file that cannot be written fails with the disk error, and other files are still written', async () => {
  const { folder, threads } = await opened();
  const lost = threads.open(join(folder, 'no such folder', 'lost'));
  const good = threads.open(join(folder, 'good'));

  const writing = [lost.write(shared('bytes')), good.write(shared('one '))];

  const [failed] = await Promise.allSettled(writing);
  expect(failed).toMatchObject({ status: 'rejected', reason: { code: 'ENOENT', syscall: 'open' } });
  await lost.remove();
  await good.close(shared('two'), { isDurable: true });
  expect(await readFile(join(folder, 'good'), 'utf8')).toBe('one two');
});

test('writes a file of zero bytes', async () => {
  const { folder, threads } = await opened();
  const file = threads.open(join(folder, 'empty'));

  await file.close(shared(''), { isDurable: true });

  expect(await readFile(join(folder, 'empty'), 'utf8')).toBe('');
});

test('a process exits only after its file is written', async () => {
  const { folder } = await opened();
  const path = join(folder, 'file');
  const script = join(folder, 'script.mjs');
  const text = `
    import { createDiskThreads } from '${new URL('./disk-threads.ts', import.meta.url).href}';
    const file = createDiskThreads().open(${JSON.stringify(path)});
    await file.close(new Uint8Array(new SharedArrayBuffer(3)), { isDurable: true });
    console.log('written');
  `;

  await writeFile(script, text);

  const { stdout } = await promisify(execFile)(process.execPath, [script]);

  expect(stdout).toBe('written\n');
});

test('pending file operations fail when their thread is closed', async () => {
  const { folder, threads } = await opened();
  const file = threads.open(join(folder, 'file'));
  const closing = file.close(shared('bytes'), { isDurable: true });

  await threads.close();

  await Promise.allSettled([closing]);
  await expect(file.digest()).rejects.toThrow('ended');
});
