import { expect, test } from 'vitest';
import { createByteMemory, createMemory } from './least-recently-used.ts';

test('removes the least recently used value first', () => {
  const memory = createMemory<string>(2);
  memory.remember('a', 'first');
  memory.remember('b', 'second');

  memory.recall('a');
  memory.remember('c', 'third');

  expect([memory.recall('a'), memory.recall('b'), memory.recall('c')]).toEqual(['first', undefined, 'third']);
});

test('measures values by the given function, and stops counting a value that is replaced', () => {
  const memory = createMemory<string>(10, (value) => value.length);
  memory.remember('a', '12345678');
  memory.remember('a', '1234');

  memory.remember('b', '123456');

  expect([memory.recall('a'), memory.recall('b')]).toEqual(['1234', '123456']);
});

test('does not store a single value that exceeds the limit', () => {
  const memory = createMemory<string>(3, (value) => value.length);

  memory.remember('a', '12345');

  expect(memory.recall('a')).toBeUndefined();
});

test('stores only the given bytes, not the larger buffer around them', () => {
  const received = Buffer.alloc(64 << 10, 7);
  const memory = createByteMemory(1000);

  const remembered = memory.remember('a', received.subarray(100, 300));

  expect(remembered).toEqual(Buffer.alloc(200, 7));
  expect(remembered.buffer.byteLength).toBe(200);
  expect(memory.recall('a')).toBe(remembered);
});
