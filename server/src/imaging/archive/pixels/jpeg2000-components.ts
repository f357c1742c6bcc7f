import type { Codec } from '@radwork/dicom/transfer-syntax';
import type { Components } from './codestream.ts';
import type { PixelFormat } from './pixel-format.ts';

/** Widens samples of one byte to two bytes, as in the header. */
const widened = (pixels: Uint8Array, isSigned: boolean): Uint8Array => {
  const { buffer, byteOffset, length } = pixels;
  const numbers = Int16Array.from(isSigned ? new Int8Array(buffer, byteOffset, length) : pixels);
  return new Uint8Array(numbers.buffer);
};

/**
 * Puts the rows of all colors in the right order. Without a color transform, OpenJPH returns all rows of the first
 * color, then all rows of the second color, and so on. The decoder expects the colors to alternate from row to row.
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

/** Converts the output of a JPEG 2000 decoder to the format in the header (for dcmjs-codecs 0.0.8). */
export const asComponents = (
  codec: Codec,
  pixels: Uint8Array,
  { isSigned, isColorTransformed }: Components,
  format: PixelFormat,
): Uint8Array => {
  const samples = format.rows * format.columns * format.samplesPerPixel;
  if (format.samplesPerPixel > 1) {
    return codec === 'htj2k' && !isColorTransformed ? inTheirRows(pixels, format) : pixels;
  }
  return format.bitsAllocated === 16 && pixels.length === samples ? widened(pixels, isSigned) : pixels;
};
