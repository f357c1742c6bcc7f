import { interleaved, rgbOfYbr } from './color-spaces.ts';
import { decodeFrame } from './decode-frame.ts';
import type { Decoded } from './decoded-frame.ts';
import { checkCodestream } from './codestream.ts';
import { type DecodeJob, NotRenderable, type PixelFormat } from './pixel-format.ts';

/**
 * Returns the pixels of a frame as in an uncompressed file: the colors of a pixel are adjacent, and those of a JPEG are
 * RGB. Most JPEGs have subsampled color, which only the decoder can expand (PS3.3 §C.7.6.3.1.2). Throws NotRenderable
 * or the error of a decoder.
 */
export const uncompressedFrame = async ({ codec, frame, format }: DecodeJob): Promise<Decoded> => {
  checkCodestream(codec, frame, format);
  const decoded = await decodeFrame(codec, frame, format);
  const length = bytesOfFrame(decoded.format);
  if (decoded.pixels.length < length) throw new NotRenderable('incomplete');
  const trimmed = { ...decoded, pixels: decoded.pixels.subarray(0, length) };
  const together = decoded.format.isPlanar ? pixelByPixel(trimmed) : trimmed;
  return codec === 'jpeg' && together.format.photometricInterpretation.startsWith('YBR_FULL')
    ? inRgb(together)
    : together;
};

const bytesOfFrame = ({ rows, columns, samplesPerPixel, bitsAllocated }: PixelFormat): number =>
  Math.ceil((rows * columns * samplesPerPixel * bitsAllocated) / 8);

const isColorInBytes = ({ samplesPerPixel, bitsAllocated }: PixelFormat): boolean =>
  samplesPerPixel === 3 && bitsAllocated === 8;

const pixelByPixel = (decoded: Decoded): Decoded => {
  const { pixels, format } = decoded;
  if (format.samplesPerPixel !== 3 || format.bitsAllocated < 8) return decoded;
  return {
    ...decoded,
    pixels: interleaved(pixels, format.bitsAllocated / 8),
    format: { ...format, isPlanar: false },
  };
};

const inRgb = (decoded: Decoded): Decoded => {
  const { pixels, format } = decoded;
  if (!isColorInBytes(format)) return decoded;
  return { ...decoded, pixels: rgbOfYbr(pixels, 'full'), format: { ...format, photometricInterpretation: 'RGB' } };
};
