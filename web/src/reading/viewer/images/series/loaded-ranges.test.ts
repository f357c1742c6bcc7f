import { expect, test } from 'vitest';
import { loadedRangesOf } from './loaded-ranges.ts';

test('merges adjacent loaded images into one stretch', () => {
  const stretches = loadedRangesOf([true, true, false, true, false, true, true, true]);

  expect(stretches).toEqual([
    { from: 0, to: 2 },
    { from: 3, to: 4 },
    { from: 5, to: 8 },
  ]);
});

test('returns no stretch if nothing is loaded', () => {
  expect(loadedRangesOf([false, false])).toEqual([]);
});
