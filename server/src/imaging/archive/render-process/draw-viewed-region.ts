import sharp, { type Sharp } from 'sharp';
import type { Picture } from '#imaging/archive/pixels/pixel-format.ts';
import { type ViewedAs, type ViewedRegion, viewedRegion } from './viewed-region.ts';

/**
 * Draws an image as a user viewed it: cropped, mirrored, inverted and rotated. No side has more than `longest` pixels.
 */
export const drawViewedRegion = async (
  image: Sharp,
  picture: Picture,
  view: ViewedAs,
  longest: number,
): Promise<Sharp> => {
  const { cut, size, square } = viewedRegion(view, picture, longest);
  // Runs one step at a time, because sharp changes the order of operations in one pipeline.
  const rasterize = async (step: Sharp) => {
    const gray = picture.channels === 1 ? step.toColourspace('b-w') : step.removeAlpha();
    const { data, info } = await gray.raw().toBuffer({ resolveWithObject: true });
    return sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } });
  };
  const fitted = await rasterize(brightened(image.extract(cut).resize({ ...size, fit: 'fill' }), view));
  const mirrored = await rasterize(fitted.flop(view.isMirroredAcross).flip(view.isMirroredDown));
  const upright = view.isInverted ? await rasterize(mirrored.negate()) : mirrored;
  const turned =
    view.rotation === 0 ? upright : await rasterize(upright.rotate(view.rotation, { background: '#000000' }));
  return square ? cutAfterTurn(turned, square) : turned;
};

const brightened = (image: Sharp, { brightness }: ViewedAs): Sharp => {
  if (!brightness) return image;
  const slope = 255 / (brightness.upper - brightness.lower);
  return image.linear(slope, -brightness.lower * slope);
};

const cutAfterTurn = async (image: Sharp, { middle: [x, y], half }: NonNullable<ViewedRegion['square']>) => {
  const { width, height } = await image.metadata();
  const between = (middle: number, count: number) => {
    const from = Math.min(Math.max(Math.round(count / 2 + middle - half), 0), count - 1);
    const to = Math.min(Math.max(Math.round(count / 2 + middle + half), from + 1), count);
    return [from, to - from] as const;
  };
  const [left, columns] = between(x, width);
  const [top, rows] = between(y, height);
  return image.extract({ left, top, width: columns, height: rows });
};
