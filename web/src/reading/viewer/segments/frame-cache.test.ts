import { expect, test } from 'vitest';
import { boundedCache } from './frame-cache.ts';

test('the cache removes the least recently used entry when it is full, and only then', () => {
  const cache = boundedCache<string>(10, ({ length }) => length);

  cache.set('a', 'aaaa');
  cache.set('b', 'bbbb');
  expect(cache.has('a') && cache.has('b')).toBe(true);
  cache.get('a');
  cache.set('c', 'cccc');

  expect(['a', 'b', 'c'].filter(cache.has)).toEqual(['a', 'c']);
  cache.set('a', 'aa');
  cache.set('d', 'dddd');
  expect(['a', 'c', 'd'].filter(cache.has)).toEqual(['a', 'c', 'd']);
  cache.clear();
  expect(['a', 'c', 'd'].filter(cache.has)).toEqual([]);
});

test('an entry larger than the cache replaces all others', () => {
  const cache = boundedCache<string>(3, ({ length }) => length);

  cache.set('a', 'aa');
  cache.set('b', 'bbbbbb');

  expect(cache.has('a')).toBe(false);
  expect(cache.get('b')).toBe('bbbbbb');
});
