import { expect, test } from 'vitest';
import { createDelayedWrites } from './delayed-writes.ts';

/** Records the keys that are written, in order. A key in `failing` cannot be written. */
const open = (settings: Parameters<typeof createDelayedWrites>[1], failing: readonly string[] = []) => {
  const written: string[] = [];
  const put = async (_tenantId: number, key: string) => {
    await new Promise((done) => setImmediate(done));
    if (failing.includes(key)) throw new Error('The disk is full');
    written.push(key);
  };
  const writes = createDelayedWrites({ put }, settings);
  const add = (key: string, bytes = 10) => writes.add({ tenantId: 1, key, picture: Buffer.alloc(bytes) });
  return { written, add, close: writes.close };
};

test('writes images after a pause, even if nothing waited before', async () => {
  const { written, add } = open({ quiet: 1 });
  await new Promise((done) => setTimeout(done, 20));

  add('a');
  add('b');
  await expect.poll(() => written).toEqual(['a', 'b']);
  add('c');
  await expect.poll(() => written).toEqual(['a', 'b', 'c']);
});

test('writes waiting images at once when they exceed the limit', async () => {
  const { written, add } = open({ quiet: 3_600_000, most: 25 });

  add('a');
  add('b');
  add('c');

  await expect.poll(() => written).toEqual(['a']);
});

test('writes the images that wait when it closes, also those after a failed one', async () => {
  const { written, add, close } = open({ quiet: 3_600_000 }, ['b']);
  add('a');
  add('b');
  add('c');

  await close();

  expect(written).toEqual(['a', 'c']);
});
