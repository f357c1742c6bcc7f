import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createPictureCache } from './picture-cache.ts';

const folder = await mkdtemp(join(tmpdir(), 'radwork-pictures-'));
afterAll(() => rm(folder, { recursive: true }));

const keyOf = (name: string) => createHash('sha256').update(name).digest('hex');

test('a picture is found by its tenant and key, and by no other', async () => {
  const cache = createPictureCache(join(folder, 'found'), 1000);

  await cache.put(1, keyOf('chest'), Buffer.from('a chest'));

  expect(await cache.find(1, keyOf('chest'))).toEqual(Buffer.from('a chest'));
  expect(await cache.find(2, keyOf('chest'))).toBeUndefined();
  expect(await cache.find(1, keyOf('head'))).toBeUndefined();
});

test('pictures are still there after a restart', async () => {
  await createPictureCache(join(folder, 'kept'), 1000).put(1, keyOf('chest'), Buffer.from('a chest'));

  const restarted = createPictureCache(join(folder, 'kept'), 1000);

  expect(await restarted.find(1, keyOf('chest'))).toEqual(Buffer.from('a chest'));
});

test('when there are too many the oldest go, and the newest stay', async () => {
  const cache = createPictureCache(join(folder, 'full'), 1000);
  const names = Array.from({ length: 12 }, (_, index) => `picture ${index}`);

  for (const name of names) await cache.put(1, keyOf(name), Buffer.alloc(100));

  const found = await Promise.all(names.map((name) => cache.find(1, keyOf(name))));
  expect(found.at(-1)).toHaveLength(100);
  expect(found.filter((picture) => picture !== undefined).length).toBeLessThanOrEqual(10);
  expect(found[0]).toBeUndefined();
});
