import { colorsOf, type PictureCase, pictureSide } from '@radwork/phantom/picture-cases';
import { pixelsOf } from '#test/rendered-images.ts';

type Drawn = { pixels: number[]; columns: number; rows: number; channels: number };

/** Returns red, green and blue of each pixel of the image, from a picture in which pixels may be stretched. */
const perPixel = ({ pixels, columns, rows, channels }: Drawn): number[] =>
  Array.from({ length: pictureSide ** 2 }, (_, index) => {
    const column = Math.floor((((index % pictureSide) + 0.5) * columns) / pictureSide);
    const row = Math.floor(((Math.floor(index / pictureSide) + 0.5) * rows) / pictureSide);
    const at = channels * (row * columns + column);
    return [0, 1, 2].map((channel) => pixels[at + (channels < 3 ? 0 : channel)] ?? Number.NaN);
  }).flat();

export const meanDifference = (one: readonly number[], other: readonly number[]): number =>
  one.reduce((sum, gray, index) => sum + Math.abs(gray - (other[index] ?? Number.NaN)), 0) / one.length;

/** Largest mean difference in gray levels. Stretched pixels are interpolated, and a JPEG is lossy. */
export const tolerance = ({ shape }: PictureCase, isLossy: boolean) =>
  (shape.wide === shape.tall ? 0.01 : 8) + (isLossy ? 6 : 0);

/** Compares a picture with the table: its proportions, and the mean difference in gray levels. */
export const comparedWith = async (one: PictureCase, file: Buffer): Promise<{ shape: number; difference: number }> => {
  const drawn = await pixelsOf(file);
  return {
    shape: drawn.columns / drawn.rows,
    difference: meanDifference(perPixel(drawn), colorsOf(one).flat()),
  };
};
