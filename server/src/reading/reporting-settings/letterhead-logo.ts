import { t } from '@radwork/contract/core/translate';
import { largestLogo } from '@radwork/contract/reading/reporting-settings';
import sharp from 'sharp';
import { readDataUrl } from '#core/uploads/data-url.ts';
import { invalid } from '#core/http/problem.ts';

/** Maximum width and height in pixels. At the size of a letterhead, no printer shows more. */
const largestSide = 1200;
/** Limits decoding, because a small file can claim any size. */
const mostPixels = 40_000_000;

const types = ['image/png', 'image/jpeg'];

const invalidLogo = (words: string) => invalid({ letterheadLogo: words });

/**
 * Decodes a logo and encodes it as a PNG, so that only its pixels are stored. Throws 422 if the logo is too large, or
 * is neither a PNG nor a JPEG image.
 */
export const acceptLogo = async (dataUrl: string): Promise<string> => {
  const { type = '', base64 = '' } = readDataUrl(dataUrl) ?? {};
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > largestLogo) throw invalidLogo(t`The logo is larger than 200 KB`);
  const logo = await encode(bytes, type);
  if (logo.length > largestLogo)
    throw invalidLogo(t`The logo is larger than 200 KB after conversion. Use a simpler image.`);
  return `data:image/png;base64,${logo.toString('base64')}`;
};

const encode = async (bytes: Buffer, type: string): Promise<Buffer> => {
  try {
    const picture = sharp(bytes, { limitInputPixels: mostPixels, failOn: 'error' });
    const { format } = await picture.metadata();
    if (!types.includes(type) || type !== `image/${format}`) throw new Error('another format');
    const size = { width: largestSide, height: largestSide, fit: 'inside', withoutEnlargement: true } as const;
    return await picture.rotate().resize(size).png({ compressionLevel: 9, palette: true }).toBuffer();
  } catch {
    throw invalidLogo(t`The logo must be a PNG or JPEG image`);
  }
};
