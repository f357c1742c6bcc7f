import { expect, test } from 'vitest';
import { drawnScale, usualPage } from './pdf-size.ts';

test('a PDF page of usual size is drawn at the requested scale', () => {
  expect(drawnScale(usualPage, 4.5)).toBe(4.5);
});

test('a PDF page several meters large stays within the pixel limit', () => {
  const plan = { width: 14_400, height: 14_400 };
  const scale = drawnScale(plan, 4.5);

  expect((plan.width * scale) ** 2).toBeCloseTo(16_000_000);
});

test('a long narrow PDF page stays within the longest side that can be drawn', () => {
  expect(100_000 * drawnScale({ width: 1, height: 100_000 }, 1.5)).toBeCloseTo(16_384);
});
