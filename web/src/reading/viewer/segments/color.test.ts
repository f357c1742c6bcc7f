import { expect, test } from 'vitest';
import { colorOfRgb } from './color.ts';

test('a color with a part above 255 is none', () => {
  expect(colorOfRgb([1, 2, 256])).toBeUndefined();
  expect(colorOfRgb([255, 64, 255])).toEqual([255, 64, 255]);
});
