import { NotRenderable, type PixelFormat } from './picture.ts';

/** One value for each sample of a frame. */
export type Samples = Uint8Array | Uint16Array | Int32Array | Uint32Array | Float32Array | Float64Array;

/**
 * The stored values of a frame (PS3.5 §8.1.1): the bits that count of every sample, with their sign. Throws
 * NotRenderable when there are fewer bytes than samples.
 */
export const samplesOf = (pixels: Uint8Array, format: PixelFormat): Samples => {
  const { rows, columns, samplesPerPixel, bitsAllocated } = format;
  const count = rows * columns * samplesPerPixel;
  if (pixels.length < Math.ceil((count * bitsAllocated) / 8)) throw new NotRenderable('The image is cut short.');
  if (bitsAllocated === 1) return bitsOf(pixels, count);
  const cells = cellsOf(pixels, format, count);
  return format.isFloat || isWhole(format) ? cells : valuesIn(cells, format);
};

/** Bit 0 of a byte is its first pixel. */
const bitsOf = (pixels: Uint8Array, count: number): Uint8Array => {
  const values = new Uint8Array(count);
  for (let index = 0; index < count; index += 1) values[index] = ((pixels[index >> 3] ?? 0) >> (index & 7)) & 1;
  return values;
};

/** The cells that samples are in, as unsigned numbers. Copied, since typed arrays want their bytes aligned. */
const cellsOf = (pixels: Uint8Array, { bitsAllocated, isFloat }: PixelFormat, count: number): Samples => {
  const bytes = new Uint8Array(pixels.subarray(0, (count * bitsAllocated) / 8));
  if (bitsAllocated === 8) return bytes;
  if (bitsAllocated === 16) return new Uint16Array(bytes.buffer);
  if (bitsAllocated === 32) return isFloat ? new Float32Array(bytes.buffer) : new Uint32Array(bytes.buffer);
  if (bitsAllocated === 64 && isFloat) return new Float64Array(bytes.buffer);
  throw new NotRenderable('Pixels of this many bits cannot be shown here.');
};

/** Whether the cell is the value. */
const isWhole = ({ bitsAllocated, bitsStored, isSigned }: PixelFormat): boolean =>
  bitsStored === bitsAllocated && !isSigned;

/** Moves the bits that count to the top of 32 and back down, which extends the sign and drops what else is there. */
const valuesIn = (cells: Samples, { bitsStored, highBit, isSigned }: PixelFormat): Int32Array => {
  const [up, down] = [31 - highBit, 32 - bitsStored];
  const values = new Int32Array(cells.length);
  for (let index = 0; index < cells.length; index += 1) {
    const atTop = (cells[index] ?? 0) << up;
    values[index] = isSigned ? atTop >> down : atTop >>> down;
  }
  return values;
};
