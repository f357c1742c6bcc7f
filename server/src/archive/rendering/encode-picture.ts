import sharp from 'sharp';
import type { Picture } from './picture.ts';
import type { RenderedOptions } from './rendered-options.ts';

// No picture is encoded twice, and several at a time use all of the machine.
sharp.cache(false);
sharp.concurrency(1);

/** A picture as a JPEG or PNG file, scaled to fit the viewport without being distorted (PS3.18 §8.3.5.1.3). */
export const encodePicture = (picture: Picture, options: RenderedOptions): Promise<Buffer> => {
  const { columns: width, rows: height, channels, pixels } = picture;
  const { viewport, mediaType, quality } = options;
  const image = sharp(pixels, { raw: { width, height, channels } });
  const fitted = viewport ? image.resize({ width: viewport.columns, height: viewport.rows, fit: 'inside' }) : image;
  const inColours = channels === 1 ? fitted.toColourspace('b-w') : fitted;
  return mediaType === 'image/png' ? inColours.png().toBuffer() : inColours.jpeg({ quality }).toBuffer();
};
