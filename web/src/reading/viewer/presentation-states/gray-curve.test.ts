import { expect, test } from 'vitest';
import { grayMappingOf } from './gray-curve.ts';
import type { Grayscale, Voi } from './grayscale.ts';

const plain: Grayscale = {
  slope: 1,
  intercept: 0,
  isUsable: true,
  voi: [],
  isInverted: false,
  presentation: undefined,
  palette: undefined,
};
const window: Voi = { kind: 'linear', range: { lower: 0, upper: 100 } };
const same = (value: number) => value;

const greyAt = (greys: Partial<Grayscale>, voi: Voi, value: number, toDrawn = same): number => {
  const mapping = grayMappingOf({ ...plain, ...greys }, voi, toDrawn);
  if (mapping.kind === 'window') throw new Error('It is a window');
  const nearest = mapping.points.toSorted(
    (one, other) => Math.abs(one.value - value) - Math.abs(other.value - value),
  )[0];
  return nearest?.green ?? Number.NaN;
};

test('a window of a state is converted to image values, and the result says whether it is inverted', () => {
  const twice = (value: number) => value * 2 - 10;

  expect(grayMappingOf({ ...plain, isInverted: true }, window, twice)).toEqual({
    kind: 'window',
    range: { lower: -10, upper: 190 },
    isInverted: true,
  });
});

test('a lookup table gives each value its own gray, and INVERSE inverts it', () => {
  const voi: Voi = { kind: 'table', table: { first: -1, entries: [0, 0.9, 0.2, 1] } };

  expect([-1, 0, 1, 2].map((value) => greyAt({}, voi, value))).toEqual([0, 0.9, 0.2, 1]);
  expect(greyAt({ isInverted: true }, voi, 0)).toBeCloseTo(0.1);
});

test('a sigmoid is half white at its center and follows PS3.3 §C.11.2.1.3.1', () => {
  const voi: Voi = { kind: 'sigmoid', center: 50, width: 40 };

  expect(greyAt({}, voi, 50)).toBeCloseTo(0.5, 2);
  expect(greyAt({}, voi, 70)).toBeCloseTo(1 / (1 + Math.exp(-2)), 2);
  expect(greyAt({}, voi, 30)).toBeCloseTo(1 / (1 + Math.exp(2)), 2);
});

test('a presentation LUT applies after the window, a palette after both', () => {
  const upsideDown = { first: 0, entries: [1, 0.75, 0.5, 0.25, 0] };
  const only = (entries: number[]) => ({ first: 0, entries });
  const mapping = grayMappingOf(
    { ...plain, presentation: upsideDown, palette: [only([0, 1]), only([0.3, 0.3]), only([1, 0])] },
    window,
    same,
  );

  expect(greyAt({ presentation: upsideDown }, window, 25)).toBeCloseTo(0.75, 1);
  expect(greyAt({ presentation: upsideDown }, window, 100)).toBe(0);
  expect(mapping.kind === 'curve' && mapping.points[0]).toEqual({ value: 0, red: 1, green: 0.3, blue: 0 });
  expect(mapping.kind === 'curve' && mapping.points.at(-1)).toEqual({ value: 100, red: 0, green: 0.3, blue: 1 });
});
