/** A colour of the screen: sRGB, each part from 0 to 255. */
export type Colour = readonly [red: number, green: number, blue: number];

/** The white of the colour space that DICOM writes colours in (ICC profile connection space, D50). */
const white = [0.964_22, 1, 0.825_21] as const;

/** From that space to the light of an sRGB screen, whose white is D65 (Bradford adaptation, IEC 61966-2-1). */
const toLight = [
  [3.133_856_1, -1.616_866_7, -0.490_614_6],
  [-0.978_768_4, 1.916_141_5, 0.033_454],
  [0.071_945_3, -0.228_991_4, 1.405_242_7],
] as const;

/** Where the cube root of CIELab gives way to a straight line (CIE 15). */
const straightBelow = 6 / 29;
const uncurved = (value: number): number =>
  value > straightBelow ? value ** 3 : 3 * straightBelow ** 2 * (value - 4 / 29);

const screenValue = (light: number): number => {
  const value = light <= 0.003_130_8 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055;
  return Math.round(255 * Math.min(1, Math.max(0, value)));
};

/**
 * A colour as DICOM recommends it (RecommendedDisplayCIELabValue, PS3.3 §C.10.7.1.1: L* from 0 to 100, a* and b* from
 * -128 to 127, each spread over 0 to 65535) on the screen. What a screen cannot show is the nearest that it can.
 * Undefined for anything but three numbers.
 */
export const colourOfLab = (encoded: readonly number[]): Colour | undefined => {
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

/** A colour that is written as three numbers from 0 to 255 (ROIDisplayColor). */
export const colourOfRgb = (values: readonly number[]): Colour | undefined => {
  const [red, green, blue] = values;
  if (values.length !== 3 || red === undefined || green === undefined || blue === undefined) return undefined;
  return values.every((value) => value >= 0 && value <= 255) ? [red, green, blue] : undefined;
};

/** Colours for what brings none: far apart from each other and from the greys of images. */
const palette: readonly Colour[] = [
  [230, 159, 0],
  [86, 180, 233],
  [0, 200, 140],
  [240, 228, 66],
  [204, 121, 167],
  [213, 94, 0],
  [150, 130, 255],
  [140, 220, 60],
];

export const spareColour = (index: number): Colour => palette[index % palette.length] ?? [255, 255, 255];

export const cssColour = ([red, green, blue]: Colour): string => `rgb(${red} ${green} ${blue})`;
