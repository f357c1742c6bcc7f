import { expect, test } from 'vitest';
import { distanceOf, lengthText, magnificationText, scaleBarOf } from './slide-scale.ts';

test.each([
  [1, 50, '50 µm', 100],
  [0.01, 5000, '5 mm', 100],
  [8, 5, '5 µm', 80],
])('at scale %f, the bar is the longest round length that fits', (scale, micrometers, text, pixels) => {
  const bar = scaleBarOf({ spacing: 0.0005 }, { scale });

  expect(bar?.text).toBe(text);
  expect(bar?.pixels).toBeCloseTo(pixels);
  expect(bar?.pixels).toBeCloseTo((micrometers / 0.5) * scale);
});

test('without a pixel spacing, there is no bar and no distance', () => {
  expect(scaleBarOf({ spacing: undefined }, { scale: 1 })).toBeUndefined();
  expect(distanceOf({ spacing: undefined }, { x: 0, y: 0 }, { x: 3, y: 4 })).toBeUndefined();
});

test('a distance is in millimeters, and its text in µm below one', () => {
  expect(distanceOf({ spacing: 0.0005 }, { x: 0, y: 0 }, { x: 300, y: 400 })).toBeCloseTo(0.25);
  expect([0.00123, 0.0456, 0.25, 1.5].map(lengthText)).toEqual(['1.23 µm', '45.6 µm', '250 µm', '1.5 mm']);
});

test('the magnification is that of the objective, else the size of a pixel, else a share', () => {
  expect(magnificationText({ spacing: 0.0005, objective: 20 }, { scale: 0.5 })).toBe('10× · 1 µm/pixel');
  expect(magnificationText({ spacing: 0.0005, objective: undefined }, { scale: 2 })).toBe('0.25 µm/pixel');
  expect(magnificationText({ spacing: undefined, objective: undefined }, { scale: 0.5 })).toBe('50 %');
});
