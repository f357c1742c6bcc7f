import { expect, test } from 'vitest';
import { frameNumbers } from './answer-frames.ts';

test('returns a frame once, even if the list of frames repeats its number', () => {
  expect(frameNumbers('1,1,1')).toEqual([1]);
  expect(frameNumbers('3,1,3,01')).toEqual([3, 1]);
  expect(frameNumbers(Array.from({ length: 4000 }, () => '7').join())).toEqual([7]);
});
