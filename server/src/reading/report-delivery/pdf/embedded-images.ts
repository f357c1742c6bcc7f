import sharp, { type Sharp } from 'sharp';
import { readDataUrl } from '#core/uploads/data-url.ts';

/** An image for a PDF, with width and height in pixels. */
export type Picture = { source: string; width: number; height: number };

/** 300 dpi at the full width of the text. A higher resolution cannot be seen on paper. */
const mostPixels = 2000;
/** Maximum number of decoded pixels. */
const largest = 40_000_000;

/**
 * Prepares images (data URLs of PNG, JPEG, WebP or GIF) for a PDF, by source. Rotates them upright, removes
 * transparency and limits their size. Leaves out images that cannot be read.
 */
export const readPictures = async (sources: readonly string[]): Promise<Map<string, Picture>> => {
  const pictures = new Map<string, Picture>();
  for (const source of new Set(sources)) {
    const picture = await readPicture(source).catch(() => undefined);
    if (picture) pictures.set(source, picture);
  }
  return pictures;
};

const pictureTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

const readPicture = async (source: string): Promise<Picture | undefined> => {
  const { type = '', base64 = '' } = readDataUrl(source) ?? {};
  if (!pictureTypes.includes(type)) return undefined;
  const upright = sharp(Buffer.from(base64, 'base64'), { limitInputPixels: largest })
    .autoOrient()
    .resize({ width: mostPixels, height: mostPixels, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb');
  return type === 'image/jpeg'
    ? encoded(upright.jpeg({ quality: 90 }), 'image/jpeg')
    : encoded(upright.png({ compressionLevel: 9 }), 'image/png');
};

const encoded = async (picture: Sharp, type: string): Promise<Picture> => {
  const { data, info } = await picture.toBuffer({ resolveWithObject: true });
  return { source: `data:${type};base64,${data.toString('base64')}`, width: info.width, height: info.height };
};
