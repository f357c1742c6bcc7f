import sharp, { type Sharp } from 'sharp';
import { NotRenderable, type Picture } from '#imaging/archive/pixels/pixel-format.ts';
import type { Region, RenderedOptions } from '#imaging/archive/render/rendered-options.ts';
import { drawViewedRegion } from './draw-viewed-region.ts';

// sharp needs no cache, because no image is encoded twice, and no threads, because parallel requests use all
// processors.
sharp.cache(false);
sharp.concurrency(1);

/**
 * Encodes an image or a region of it as JPEG or PNG. Scales it to fit the viewport and keeps its aspect ratio (PS3.18
 * §8.3.5.1.3). Throws NotRenderable for a region outside the image.
 */
export const encodePicture = async (picture: Picture, options: RenderedOptions): Promise<Buffer> => {
  const { columns: width, rows: height, channels, pixels } = picture;
  const { viewport, region, mediaType, quality, hasColorProfile } = options;
  const source = sharp(pixels, { raw: { width, height, channels } });
  const image = options.seen ? await drawViewedRegion(source, picture, options.seen, longestSideOf(viewport)) : source;
  const imageRegion = region ? regionOf(image, picture, region) : image;
  const size = region ? sizeOf(picture, region) : { width, height };
  const fitted = options.seen ? imageRegion : fittedIn(imageRegion, size, picture, viewport);
  const inColors = channels === 1 ? fitted.toColourspace('b-w') : fitted;
  const profiled = hasColorProfile && channels === 3 ? inColors.withIccProfile('srgb') : inColors;
  // Optimized Huffman codes make files 2 % smaller, but take longer than all other encoding.
  return mediaType === 'image/png'
    ? profiled.png().toBuffer()
    : profiled.jpeg({ quality, optimiseCoding: false }).toBuffer();
};

const longestSideOf = (viewport: RenderedOptions['viewport']): number =>
  viewport ? Math.min(viewport.columns, viewport.rows) : Infinity;

type Size = { width: number; height: number };

/** Longest side to which an image is stretched. A damaged header may give any proportions. */
const longestStretched = 4096;

/** Scales an image into the viewport. Pixels that are not square become square, and their shorter side stays. */
const fittedIn = (image: Sharp, { width, height }: Size, { shape }: Picture, viewport: RenderedOptions['viewport']) => {
  if (!shape) {
    return viewport ? image.resize({ width: viewport.columns, height: viewport.rows, fit: 'inside' }) : image;
  }
  const [across, down] = [width * shape.wide, height * shape.tall];
  const most = Math.max(width, height, longestStretched) / Math.max(across, down);
  const scale = viewport ? Math.min(viewport.columns / across, viewport.rows / down) : Math.min(1, most);
  const pixels = (length: number) => Math.max(1, Math.round(length * scale));
  return image.resize({ width: pixels(across), height: pixels(down), fit: 'fill' });
};

const sizeOf = ({ columns, rows }: Picture, { left, top, ...region }: Region): Size => ({
  width: Math.min(region.columns ?? columns, columns - left),
  height: Math.min(region.rows ?? rows, rows - top),
});

const regionOf = (image: Sharp, picture: Picture, region: Region): Sharp => {
  const { left, top, isMirrored, isUpsideDown } = region;
  const { width, height } = sizeOf(picture, region);
  if (width <= 0 || height <= 0) throw new NotRenderable('outsideImage');
  return image.extract({ left, top, width, height }).flop(isMirrored).flip(isUpsideDown);
};
