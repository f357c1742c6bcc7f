import { expect, test } from 'vitest';
import { fittedScale } from './fitted-scale.ts';

test('a wide image is fitted to the width of the pane, another image to the height', () => {
  expect(fittedScale({ width: 300, height: 200 }, { width: 600, height: 600 })).toBe(150);
  expect(fittedScale({ width: 200, height: 300 }, { width: 600, height: 600 })).toBe(150);
  expect(fittedScale({ width: 400, height: 100 }, { width: 800, height: 400 })).toBe(100);
});
