import { expect, test } from 'vitest';
import { type Color, colorOfLab } from './cielab.ts';

/** Encodes L*, a* and b* as DICOM does. */
const encoded = (lightness: number, green: number, blue: number): number[] => [
  Math.round((lightness / 100) * 65_535),
  Math.round((green + 128) * 257),
  Math.round((blue + 128) * 257),
];

/** Expected values, from Bruce Lindbloom's calculator: sRGB adapted to D50 by Bradford. */
const known: [string, number[], Color][] = [
  ['white', [100, 0, 0], [255, 255, 255]],
  ['black', [0, 0, 0], [0, 0, 0]],
  ['middle gray', [53.585, 0, 0], [128, 128, 128]],
  ['red', [54.2917, 80.8125, 69.8851], [255, 0, 0]],
  ['green', [87.8181, -79.2873, 80.9902], [0, 255, 0]],
  ['blue', [29.5676, 68.2986, -112.0294], [0, 0, 255]],
];

test.each(known)(
  'the CIELab value of %s becomes that color on screen, within one step',
  (_, [l = 0, a = 0, b = 0], rgb) => {
    const colour = colorOfLab(encoded(l, a, b));

    expect(colour?.map((part, index) => Math.abs(part - (rgb[index] ?? 0)) <= 1)).toEqual([true, true, true]);
  },
);

test('a color that screens cannot show becomes the nearest color that they can', () => {
  expect(colorOfLab(encoded(60, 127, 127))).toEqual([255, 0, 0]);
});

test('an incomplete CIELab value gives no color', () => {
  expect(colorOfLab([])).toBeUndefined();
  expect(colorOfLab([1, 2])).toBeUndefined();
});
