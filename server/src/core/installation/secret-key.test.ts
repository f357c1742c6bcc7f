import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSecretKey } from './secret-key.ts';

const folder = async (): Promise<string> => {
  const path = await mkdtemp(join(tmpdir(), 'radwork-secret-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
};

test('generates the secret at the first start, keeps it, and gives only its owner access to the file', async () => {
  const dataDir = await folder();

  const first = await openSecretKey(undefined, dataDir);
  const second = await openSecretKey(undefined, dataDir);

  expect(second.hmac('links', 'a')).toEqual(first.hmac('links', 'a'));
  expect((await stat(join(dataDir, 'secret-key'))).mode & 0o777).toBe(0o600);
});

test('servers that start simultaneously on an empty folder share one secret', async () => {
  const dataDir = await folder();

  const keys = await Promise.all(Array.from({ length: 5 }, () => openSecretKey(undefined, dataDir)));

  expect(new Set(keys.map((key) => key.hmac('links').toString('hex'))).size).toBe(1);
  expect(await readdir(dataDir)).toEqual(['secret-key']);
});

test('an empty or truncated secret stops the start', async () => {
  const dataDir = await folder();
  await writeFile(join(dataDir, 'secret-key'), '');

  await expect(openSecretKey(undefined, dataDir)).rejects.toThrow(/secret-key is damaged/);
});

test('uses a configured secret unchanged and writes no file', async () => {
  const dataDir = await folder();

  const key = await openSecretKey('a-secret-of-at-least-32-characters', dataDir);

  expect(key.hmac('links', 'a')).toHaveLength(32);
  expect(await readdir(dataDir)).toEqual([]);
});

test('keys derived for two purposes differ, even if the joined parts of the purposes are equal', async () => {
  const key = await openSecretKey('a-secret-of-at-least-32-characters', await folder());

  const derived = [key.hmac('links', 'ab', 'c'), key.hmac('links', 'a', 'bc'), key.hmac('mails', 'ab', 'c')];

  expect(new Set(derived.map((bytes) => bytes.toString('hex'))).size).toBe(3);
});
