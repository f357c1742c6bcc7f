/** Screen color: sRGB, each component from 0 to 255. */
export type Color = readonly [red: number, green: number, blue: number];

/** White point of the DICOM color space (ICC profile connection space, D50). */
const white = [0.964_22, 1, 0.825_21] as const;

/** Matrix from the DICOM color space to linear sRGB with white point D65 (Bradford adaptation, IEC 61966-2-1). */
const toLight = [
  [3.133_856_1, -1.616_866_7, -0.490_614_6],
  [-0.978_768_4, 1.916_141_5, 0.033_454],
  [0.071_945_3, -0.228_991_4, 1.405_242_7],
] as const;

/** Limit below which CIELab is linear instead of a cube root (CIE 15). */
const straightBelow = 6 / 29;
const uncurved = (value: number): number =>
  value > straightBelow ? value ** 3 : 3 * straightBelow ** 2 * (value - 4 / 29);

const screenValue = (light: number): number => {
  const value = light <= 0.003_130_8 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055;
  return Math.round(255 * Math.min(1, Math.max(0, value)));
};

/**
 * Converts an encoded CIELab value, such as RecommendedDisplayCIELabValue, to a screen color. L* is 0 to 100, a* and b* are -128 to 127, each scaled to 0
 * to 65535 (PS3.3 §C.10.7.1.1). A color that screens cannot show becomes the nearest color that they can show.
 * Undefined unless there are three numbers.
 */
export const colorOfLab = (encoded: readonly number[]): Color | undefined => {
  const [lightness, green, blue] = encoded;
  if (encoded.length !== 3 || lightness === undefined || green === undefined || blue === undefined) return undefined;
  const middle = ((100 * lightness) / 65_535 + 16) / 116;
  const x = white[0] * uncurved(middle + (green / 257 - 128) / 500);
  const y = white[1] * uncurved(middle);
  const z = white[2] * uncurved(middle - (blue / 257 - 128) / 200);
  const [toRed, toGreen, toBlue] = toLight;
  const part = ([a, b, c]: readonly [number, number, number]) => screenValue(a * x + b * y + c * z);
  return [part(toRed), part(toGreen), part(toBlue)];
};
