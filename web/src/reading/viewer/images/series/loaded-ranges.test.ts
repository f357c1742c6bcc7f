import { expect, test } from 'vitest';
import { loadedRangesOf } from './loaded-ranges.ts';

test('adjacent loaded images form one range', () => {
  const stretches = loadedRangesOf([true, true, false, true, false, true, true, true]);

  expect(stretches).toEqual([
    { from: 0, to: 2 },
    { from: 3, to: 4 },
    { from: 5, to: 8 },
  ]);
});

test('a series without loaded images has no loaded range', () => {
  expect(loadedRangesOf([false, false])).toEqual([]);
});
