import type { Codec } from '@radwork/dicom/transfer-syntax';
import type { Components } from './codestream.ts';
import type { PixelFormat } from './picture.ts';

/** Numbers of one byte, in the two that the header has for each. */
const widened = (pixels: Uint8Array, isSigned: boolean): Uint8Array => {
  const { buffer, byteOffset, length } = pixels;
  const numbers = Int16Array.from(isSigned ? new Int8Array(buffer, byteOffset, length) : pixels);
  return new Uint8Array(numbers.buffer);
};

/**
 * The rows of all colours as they belong together. Where HTJ2K does not transform its colours, OpenJPH tells one after the
 * other, row by row, and its decoder takes each row for that of the next colour.
 */
const inTheirRows = (
  pixels: Uint8Array,
  { rows, columns, samplesPerPixel, bitsAllocated }: PixelFormat,
): Uint8Array => {
  const bytes = bitsAllocated / 8;
  const target = new Uint8Array(pixels.length);
  const pixel = samplesPerPixel * bytes;
  for (let line = 0; line < rows * samplesPerPixel; line += 1) {
    const from = Math.floor(line / samplesPerPixel) * columns * pixel + (line % samplesPerPixel) * bytes;
    const to = (line % rows) * columns * pixel + Math.floor(line / rows) * bytes;
    for (let column = 0; column < columns; column += 1) {
      for (let byte = 0; byte < bytes; byte += 1) {
        target[to + column * pixel + byte] = pixels[from + column * pixel + byte] ?? 0;
      }
    }
  }
  return target;
};

/** What a decoder of JPEG 2000 gives, as the header describes it (dcmjs-codecs 0.0.8). */
export const asComponents = (
  codec: Codec,
  pixels: Uint8Array,
  { isSigned, isColourTransformed }: Components,
  format: PixelFormat,
): Uint8Array => {
  const samples = format.rows * format.columns * format.samplesPerPixel;
  if (format.samplesPerPixel > 1) {
    return codec === 'htj2k' && !isColourTransformed ? inTheirRows(pixels, format) : pixels;
  }
  return format.bitsAllocated === 16 && pixels.length === samples ? widened(pixels, isSigned) : pixels;
};
