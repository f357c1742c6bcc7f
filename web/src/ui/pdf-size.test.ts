import { expect, test } from 'vitest';
import { drawnScale, usualPage } from './pdf-size.ts';

test('a usual page is drawn as large as it is wanted', () => {
  expect(drawnScale(usualPage, 4.5)).toBe(4.5);
});

test('a page of metres has no more pixels than a page may have', () => {
  const plan = { width: 14_400, height: 14_400 };
  const scale = drawnScale(plan, 4.5);

  expect((plan.width * scale) ** 2).toBeCloseTo(16_000_000);
});

test('a strip of a page is no longer than can be drawn', () => {
  expect(100_000 * drawnScale({ width: 1, height: 100_000 }, 1.5)).toBeCloseTo(16_384);
});
