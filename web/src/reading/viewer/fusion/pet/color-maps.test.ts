import { expect, test } from 'vitest';
import { colorAt } from './color-maps.ts';

test.each([
  [0, 'rgb(0 0 0)'],
  [0.25, 'rgb(128 0 0)'],
  [0.5, 'rgb(255 0 0)'],
  [0.875, 'rgb(255 191 128)'],
  [1, 'rgb(255 255 255)'],
])('the value at %f of the window has the right color of Hot iron', (share, color) => {
  expect(colorAt('Hot iron', share)).toBe(color);
});
