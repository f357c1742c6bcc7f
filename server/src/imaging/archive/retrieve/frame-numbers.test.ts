import { expect, test } from 'vitest';
import { frameNumbers } from './answer-frames.ts';

test('a frame requested many times is returned once', () => {
  expect(frameNumbers('1,1,1')).toEqual([1]);
  expect(frameNumbers('3,1,3,01')).toEqual([3, 1]);
  expect(frameNumbers(Array.from({ length: 4000 }, () => '7').join())).toEqual([7]);
});
