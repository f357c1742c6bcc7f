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
  const whole = sharp(pixels, { raw: { width, height, channels } });
  const image = options.seen ? await drawViewedRegion(whole, picture, options.seen, longestSideOf(viewport)) : whole;
  const seen = region ? regionOf(image, picture, region) : image;
  const isFitted = !viewport || options.seen;
  const fitted = isFitted ? seen : seen.resize({ width: viewport.columns, height: viewport.rows, fit: 'inside' });
  const inColors = channels === 1 ? fitted.toColourspace('b-w') : fitted;
  const profiled = hasColorProfile && channels === 3 ? inColors.withIccProfile('srgb') : inColors;
  // Optimized Huffman codes make files 2 % smaller, but take longer than all other encoding.
  return mediaType === 'image/png'
    ? profiled.png().toBuffer()
    : profiled.jpeg({ quality, optimiseCoding: false }).toBuffer();
};

const longestSideOf = (viewport: RenderedOptions['viewport']): number =>
  viewport ? Math.min(viewport.columns, viewport.rows) : Infinity;

const regionOf = (image: Sharp, { columns, rows }: Picture, region: Region): Sharp => {
  const { left, top, isMirrored, isUpsideDown } = region;
  const width = Math.min(region.columns ?? columns, columns - left);
  const height = Math.min(region.rows ?? rows, rows - top);
  if (width <= 0 || height <= 0) throw new NotRenderable('outsideImage');
  return image.extract({ left, top, width, height }).flop(isMirrored).flip(isUpsideDown);
};
