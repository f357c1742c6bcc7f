import { expect, test } from 'vitest';
import { tickTexts, ticksBetween } from './ticks.ts';

test.each([
  [0, 1, ['0.0', '0.2', '0.4', '0.6', '0.8', '1.0']],
  [-12, 61, ['-10', '0', '10', '20', '30', '40', '50', '60']],
  [0.000_31, 0.0029, ['0.0005', '0.0010', '0.0015', '0.0020', '0.0025']],
  [0, 8e9, ['0.0e+0', '1.0e+9', '2.0e+9', '3.0e+9', '4.0e+9', '5.0e+9', '6.0e+9', '7.0e+9', '8.0e+9']],
  [0.0008, 0.0012, ['8.00e-4', '8.50e-4', '9.00e-4', '9.50e-4', '1.00e-3', '1.05e-3', '1.10e-3', '1.15e-3', '1.20e-3']],
])('a scale from %f to %f has round numbers', (lower, upper, texts) => {
  expect(tickTexts(ticksBetween(lower, upper, 8))).toEqual(texts);
});

test('a scale without extent has no numbers', () => {
  expect(ticksBetween(3, 3, 8)).toEqual([]);
  expect(ticksBetween(0, Number.POSITIVE_INFINITY, 8)).toEqual([]);
});
