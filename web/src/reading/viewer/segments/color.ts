import type { Color } from '@radwork/dicom/cielab';

/** Returns the color for three numbers between 0 and 255 (ROIDisplayColor). */
export const colorOfRgb = (values: readonly number[]): Color | undefined => {
  const [red, green, blue] = values;
  if (values.length !== 3 || red === undefined || green === undefined || blue === undefined) return undefined;
  return values.every((value) => value >= 0 && value <= 255) ? [red, green, blue] : undefined;
};

/** Default colors, which differ clearly from each other and from the grays of images. */
const palette: readonly Color[] = [
  [230, 159, 0],
  [86, 180, 233],
  [0, 200, 140],
  [240, 228, 66],
  [204, 121, 167],
  [213, 94, 0],
  [150, 130, 255],
  [140, 220, 60],
];

export const spareColor = (index: number): Color => palette[index % palette.length] ?? [255, 255, 255];

export const cssColor = ([red, green, blue]: Color): string => `rgb(${red} ${green} ${blue})`;
