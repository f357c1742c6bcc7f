import { NotRenderable, type PixelFormat } from '#imaging/archive/pixels/pixel-format.ts';

/** One value for each sample of a frame. */
export type Samples = Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array | Float32Array | Float64Array;

/**
 * Returns the stored values of a frame (PS3.5 §8.1.1): the stored bits of each sample, with their sign. Throws
 * NotRenderable when the frame has too few bytes.
 */
export const samplesOf = (pixels: Uint8Array, format: PixelFormat): Samples => {
  if (format.bitsAllocated === 1) return bitsOf(pixels, format);
  const cells = cellsOf(pixels, format);
  return format.isFloat || isWhole(format) ? cells : valuesIn(cells, format);
};

/**
 * Samples of at most 16 bits, not copied, so that each is read only once. A cell, shifted right and masked, gives the
 * `code` of a value, from 0 to `mask`. `valueOf` returns the value of a code.
 */
export type CodedSamples = {
  cells: Uint8Array | Uint16Array;
  shift: number;
  mask: number;
  valueOf: (code: number) => number;
};

/** Returns undefined for longer samples, and for formats that PS3.5 §8.1.1 does not allow. Throws like samplesOf. */
export const codedSamplesOf = (pixels: Uint8Array, format: PixelFormat): CodedSamples | undefined => {
  const { bitsAllocated, bitsStored, highBit, isSigned } = format;
  const shift = highBit + 1 - bitsStored;
  if (bitsAllocated > 16 || bitsStored < 1 || shift < 0 || highBit >= bitsAllocated) return undefined;
  const cells = bitsAllocated === 1 ? samplesOf(pixels, format) : cellsOf(pixels, format);
  if (!(cells instanceof Uint8Array || cells instanceof Uint16Array)) return undefined;
  const count = 2 ** bitsStored;
  return {
    cells,
    shift,
    mask: count - 1,
    valueOf: isSigned && bitsAllocated > 1 ? (code) => (code < count / 2 ? code : code - count) : (code) => code,
  };
};

/** Returns the number of samples. Throws when the frame has too few bytes. */
const countOf = (pixels: Uint8Array, { rows, columns, samplesPerPixel, bitsAllocated }: PixelFormat): number => {
  const count = rows * columns * samplesPerPixel;
  if (pixels.length < Math.ceil((count * bitsAllocated) / 8)) throw new NotRenderable('incomplete');
  return count;
};

/** Bit 0 of a byte is its first pixel. */
const bitsOf = (pixels: Uint8Array, format: PixelFormat): Uint8Array => {
  const count = countOf(pixels, format);
  const values = new Uint8Array(count);
  for (let index = 0; index < count; index += 1) values[index] = ((pixels[index >> 3] ?? 0) >> (index & 7)) & 1;
  return values;
};

/** Returns the cells of the samples as unsigned numbers. Copies only when a typed array needs aligned bytes. */
const cellsOf = (pixels: Uint8Array, format: PixelFormat): Samples => {
  const { bitsAllocated, isFloat } = format;
  const count = countOf(pixels, format);
  const isAligned = pixels.byteOffset % 8 === 0;
  const { buffer, byteOffset } = isAligned ? pixels : pixels.slice(0, (count * bitsAllocated) / 8);
  if (bitsAllocated === 8) return new Uint8Array(buffer, byteOffset, count);
  if (bitsAllocated === 16) return new Uint16Array(buffer, byteOffset, count);
  if (bitsAllocated === 32 && isFloat) return new Float32Array(buffer, byteOffset, count);
  if (bitsAllocated === 32) return new Uint32Array(buffer, byteOffset, count);
  if (bitsAllocated === 64 && isFloat) return new Float64Array(buffer, byteOffset, count);
  throw new NotRenderable('unknownDepth');
};

/** Returns whether the cells are the values, without masking. */
const isWhole = ({ bitsAllocated, bitsStored, isSigned }: PixelFormat): boolean =>
  bitsStored === bitsAllocated && !isSigned;

/** Shifts the stored bits to the top of 32 bits and back. This extends the sign and drops other bits. */
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
