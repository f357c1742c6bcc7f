import { NotRenderable, type PixelFormat } from './picture.ts';

/** One value for each sample of a frame. */
export type Samples = Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array | Float32Array | Float64Array;

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

/** The cells that samples are in, as unsigned numbers. Copied only where typed arrays want their bytes aligned. */
const cellsOf = (pixels: Uint8Array, { bitsAllocated, isFloat }: PixelFormat, count: number): Samples => {
  const isAligned = pixels.byteOffset % 8 === 0;
  const { buffer, byteOffset } = isAligned ? pixels : pixels.slice(0, (count * bitsAllocated) / 8);
  if (bitsAllocated === 8) return new Uint8Array(buffer, byteOffset, count);
  if (bitsAllocated === 16) return new Uint16Array(buffer, byteOffset, count);
  if (bitsAllocated === 32 && isFloat) return new Float32Array(buffer, byteOffset, count);
  if (bitsAllocated === 32) return new Uint32Array(buffer, byteOffset, count);
  if (bitsAllocated === 64 && isFloat) return new Float64Array(buffer, byteOffset, count);
  throw new NotRenderable('Pixels of this many bits cannot be shown here.');
};

/** Whether the cell is the value. */
const isWhole = ({ bitsAllocated, bitsStored, isSigned }: PixelFormat): boolean =>
  bitsStored === bitsAllocated && !isSigned;

/** Moves the bits that count to the top of 32 and back down, which extends the sign and drops what else is there. */
const valuesIn = (cells: Samples, { bitsAllocated, bitsStored, highBit, isSigned }: PixelFormat): Samples => {
  const [up, down] = [31 - highBit, 32 - bitsStored];
  const values = emptyCells(cells.length, bitsAllocated, isSigned);
  for (let index = 0; index < cells.length; index += 1) {
    const atTop = (cells[index] ?? 0) << up;
    values[index] = isSigned ? atTop >> down : atTop >>> down;
  }
  return values;
};

const emptyCells = (count: number, bitsAllocated: number, isSigned: boolean): Samples => {
  if (bitsAllocated > 16) return new Int32Array(count);
  return isSigned ? new Int16Array(count) : new Uint16Array(count);
};
