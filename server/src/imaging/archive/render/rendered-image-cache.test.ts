import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createPictureCache } from './rendered-image-cache.ts';
import { cacheFolderAndForm } from './cache-encryption.ts';

const folder = await mkdtemp(join(tmpdir(), 'radwork-pictures-'));
afterAll(() => rm(folder, { recursive: true }));

const keyOf = (name: string) => createHash('sha256').update(name).digest('hex');

test('finds a rendered image only by its tenant and key', async () => {
  const cache = createPictureCache(join(folder, 'found'), 1000);

  await cache.put(1, keyOf('chest'), Buffer.from('a chest'));

  expect(await cache.find(1, keyOf('chest'))).toEqual(Buffer.from('a chest'));
  expect(await cache.find(2, keyOf('chest'))).toBeUndefined();
  expect(await cache.find(1, keyOf('head'))).toBeUndefined();
});

test('keeps rendered images across a restart', async () => {
  await createPictureCache(join(folder, 'kept'), 1000).put(1, keyOf('chest'), Buffer.from('a chest'));

  const restarted = createPictureCache(join(folder, 'kept'), 1000);

  expect(await restarted.find(1, keyOf('chest'))).toEqual(Buffer.from('a chest'));
});

test('removes the oldest images and keeps the newest when the cache is full', async () => {
  const cache = createPictureCache(join(folder, 'full'), 1000);
  const names = Array.from({ length: 12 }, (_, index) => `picture ${index}`);

  for (const name of names) await cache.put(1, keyOf(name), Buffer.alloc(100));

  const cached = await Promise.all(names.map((name) => cache.find(1, keyOf(name))));
  expect(cached.at(-1)).toHaveLength(100);
  expect(cached.filter((picture) => picture !== undefined).length).toBeLessThanOrEqual(10);
  expect(cached[0]).toBeUndefined();
});

const storageKeys = { current: 'the-key-that-images-are-encrypted-with', previous: [] };
const withoutKeys = { current: undefined, previous: [] };

const open = (dataDir: string, keys: typeof storageKeys | typeof withoutKeys) => {
  const cacheSettings = cacheFolderAndForm({ dataDir, storageKeys: keys });
  return { ...cacheSettings, cache: createPictureCache(cacheSettings.folder, 100_000, cacheSettings.form) };
};

test('rendered images are encrypted, and found after a restart by tenant and key', async () => {
  const dataDir = join(folder, 'encrypted');
  const picture = Buffer.from('a chest with a name burned in');

  await open(dataDir, storageKeys).cache.put(1, keyOf('chest'), picture);

  const { cache, folder: cacheFolder } = open(dataDir, storageKeys);
  expect(await cache.find(1, keyOf('chest'))).toEqual(picture);
  const path = (tenant: string, key: string) => join(cacheFolder, tenant, key.slice(0, 2), key);
  expect((await readFile(path('1', keyOf('chest')))).includes('chest')).toBe(false);
  await mkdir(join(cacheFolder, '2', keyOf('chest').slice(0, 2)), { recursive: true });
  await cp(path('1', keyOf('chest')), path('2', keyOf('chest')));
  expect(await cache.find(2, keyOf('chest'))).toBeUndefined();
});

test('removes unencrypted images after encryption is switched on, and ignores images of another key', async () => {
  const dataDir = join(folder, 'switched');
  const before = open(dataDir, withoutKeys);
  await before.cache.put(1, keyOf('chest'), Buffer.from('a chest'));

  const on = open(dataDir, storageKeys);
  await on.removeOthers();
  await on.cache.put(1, keyOf('head'), Buffer.from('a head'));

  expect(existsSync(before.folder)).toBe(false);
  const changed = open(dataDir, { current: 'another-key-that-images-are-encrypted-with', previous: [] });
  expect(await changed.cache.find(1, keyOf('head'))).toBeUndefined();
});
