import sharp from 'sharp';
import { invalid } from '#core/problem.ts';

const largest = 200 * 1024;
const pngHead = Buffer.from('89504e470d0a1a0a', 'hex');
const dataUrl = /^data:image\/(png|svg\+xml);base64,([A-Za-z0-9+/]+={0,2})$/;

/** The pixels of the picture that an SVG becomes, at most: a hostile one may ask for any. */
const drawnSize = { width: 960, height: 240 };

/**
 * The picture of a signature, of at most 200 KB as a data URL: a PNG, or an SVG of strokes, which is drawn as a PNG at
 * once, so that nothing of what an SVG can hold is ever kept or shown. Throws a problem when a signature is needed and
 * missing, or is no such picture.
 */
export const acceptSignature = async (given: string | undefined, isRequired: boolean): Promise<string | null> => {
  if (!given) {
    if (isRequired) throw invalid({ signatureData: 'Signature is required' });
    return null;
  }
  const [, type, base64 = ''] = dataUrl.exec(given) ?? [];
  const picture = Buffer.from(base64, 'base64');
  if (picture.length > largest) throw invalid({ signatureData: 'The signature is larger than 200 KB' });
  if (type === 'svg+xml') return drawn(picture.toString('utf8'));
  if (!picture.subarray(0, pngHead.length).equals(pngHead)) {
    throw invalid({ signatureData: 'The signature must be a PNG or SVG picture' });
  }
  return given;
};

/** What strokes are made of. Nothing here leads to another file, repeats itself or holds words. */
const strokes = new Set('svg g path line polyline polygon circle ellipse rect title desc'.split(' '));

const isOfStrokes = (svg: string): boolean =>
  !/<!|<\?(?!xml[\s?])|&|url\(|href/i.test(svg) &&
  Array.from(svg.matchAll(/<\/?\s*([^\s/>]*)/g)).every(([, tag = '']) => strokes.has(tag) || tag === '?xml');

const drawn = async (svg: string): Promise<string> => {
  if (!isOfStrokes(svg)) throw invalid({ signatureData: 'An SVG signature may hold strokes only' });
  const png = await sharp(Buffer.from(svg), { limitInputPixels: 4_000_000 })
    .resize({ ...drawnSize, fit: 'inside' })
    .flatten({ background: '#fff' })
    .png()
    .toBuffer()
    .catch(() => {
      throw invalid({ signatureData: 'The signature must be a PNG or SVG picture' });
    });
  return `data:image/png;base64,${png.toString('base64')}`;
};
