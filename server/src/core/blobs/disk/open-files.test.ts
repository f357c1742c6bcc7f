import { mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readFrom } from './file-system.ts';
import { createOpenFiles } from './open-files.ts';

const newFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'radwork-open-files-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
};

const openFilesIn = async (folder: string) => {
  const targets = await Promise.all(
    (await readdir('/proc/self/fd')).map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')),
  );
  return targets.filter((target) => target.startsWith(folder)).length;
};

const opened = () => {
  const files = createOpenFiles();
  onTestFinished(files.close);
  return files;
};

test('reads one file repeatedly and concurrently', async () => {
  const path = join(await newFolder(), 'a');
  await writeFile(path, 'abcdef');
  const files = opened();

  const contents = await Promise.all([0, 2, 4].map((at) => files.withFile(path, (file) => readFrom(file, at, 2))));

  expect(contents.map(String)).toEqual(['ab', 'cd', 'ef']);
  expect(String(await files.withFile(path, (file) => readFrom(file, 0, 6)))).toBe('abcdef');
});

test('reads a file to its end even if it is dropped from the open files during the read', async () => {
  const path = join(await newFolder(), 'a');
  await writeFile(path, 'abcdef');
  const files = opened();

  const text = await files.withFile(path, async (file) => {
    await files.drop(path);
    return readFrom(file, 0, 6);
  });

  expect(String(text)).toBe('abcdef');
});

test('a file that was missing can be read after it is created', async () => {
  const path = join(await newFolder(), 'a');
  const files = opened();
  await expect(files.withFile(path, (file) => readFrom(file, 0, 1))).rejects.toThrow('ENOENT');

  await writeFile(path, 'a');

  expect(String(await files.withFile(path, (file) => readFrom(file, 0, 1)))).toBe('a');
});

test.skipIf(process.platform !== 'linux')(
  'keeps at most 1000 files open (counted on Linux) and closes all of them at the end',
  async () => {
    const folder = await newFolder();
    const files = createOpenFiles();
    for (let number = 0; number < 1050; number += 1) {
      const path = join(folder, String(number));
      await writeFile(path, 'x');
      await files.withFile(path, (file) => readFrom(file, 0, 1));
    }
    expect(await openFilesIn(folder)).toBe(1000);

    await files.drop(join(folder, '1049'));
    expect(await openFilesIn(folder)).toBe(999);
    await files.close();

    expect(await openFilesIn(folder)).toBe(0);
  },
);
