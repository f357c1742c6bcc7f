import { type LookupTable, valueInTable } from '@radwork/dicom/lookup-table';

/** Pixel values as a decoder returned them. */
type Cells = ArrayLike<number> & { readonly BYTES_PER_ELEMENT: number };

/** Frame as the imaging library passes it, with attributes of its header (PS3.3 §C.7.6.3.1). */
type Frame = {
  pixelData: Cells;
  bitsAllocated: number;
  bitsStored?: number | undefined;
  highBit?: number | undefined;
  pixelRepresentation?: number | undefined;
  samplesPerPixel?: number | undefined;
  rows?: number | undefined;
  columns?: number | undefined;
  /** Modality LUT (PS3.3 §C.11.1), if the image has one instead of a slope. */
  modalityTable?: LookupTable | undefined;
};

const isFloat = (cells: Cells) => cells instanceof Float32Array || cells instanceof Float64Array;

const isSignedAlready = (cells: Cells) =>
  cells instanceof Int8Array || cells instanceof Int16Array || cells instanceof Int32Array;

const emptyFor = (bitsStored: number, isSigned: boolean) => {
  if (bitsStored <= 8) return isSigned ? Int8Array : Uint8Array;
  if (bitsStored <= 16) return isSigned ? Int16Array : Uint16Array;
  return isSigned ? Int32Array : Uint32Array;
};

/**
 * Extracts the values of a grayscale frame from its pixels (PS3.5 §8.1.1): only the stored bits, with the sign given in
 * the header. Other bits may contain overlays. Decoders use the sign in the compressed data, which some encoders write
 * wrongly. The imaging library leaves unused bits in unsigned values.
 */
export const storedNumbers = (frame: Frame): Cells => {
  const { pixelData: cells, bitsAllocated, bitsStored = 0, pixelRepresentation, samplesPerPixel = 1 } = frame;
  if (bitsAllocated === 1) return singleBits(frame);
  const isDescribed = bitsStored > 1 && bitsStored <= bitsAllocated && pixelRepresentation !== undefined;
  if (samplesPerPixel > 1 || !isDescribed || isFloat(cells) || bitsAllocated > 32) return cells;
  const { highBit = bitsStored - 1 } = frame;
  if (highBit < bitsStored - 1 || highBit >= bitsAllocated) return cells;
  const isSigned = pixelRepresentation === 1;
  // If a decoder returned fewer bits than are stored, there are no unused bits.
  const isWhole = highBit === bitsStored - 1 && bitsStored >= 8 * cells.BYTES_PER_ELEMENT;
  if (isWhole && isSignedAlready(cells) === isSigned) return cells;
  const [up, down] = [31 - highBit, 32 - bitsStored];
  const numbers = new (emptyFor(bitsStored, isSigned))(cells.length);
  for (let index = 0; index < numbers.length; index += 1) {
    const atTop = (cells[index] ?? 0) << up;
    numbers[index] = isSigned ? atTop >> down : atTop >>> down;
  }
  return numbers;
};

/**
 * Expands single bits to bytes. The server starts each frame at bit 0 of a byte, which is its first pixel (PS3.5
 * §8.1.1).
 */
const singleBits = ({ pixelData: bytes, rows = 0, columns = 0 }: Frame): Cells =>
  Uint8Array.from({ length: rows * columns }, (_, pixel) => ((bytes[pixel >> 3] ?? 0) >> (pixel & 7)) & 1);

/**
 * Applies the modality LUT, if any, to the stored values of a grayscale frame. The slope of an image without a LUT is
 * applied elsewhere.
 */
export const measuredNumbers = (frame: Frame): Cells => {
  const [numbers, { modalityTable }] = [storedNumbers(frame), frame];
  if (!modalityTable) return numbers;
  // Removes the reference, because it would keep the table in memory with each frame.
  delete frame.modalityTable;
  return Uint16Array.from(numbers, (number) => valueInTable(modalityTable, number));
};

/** Whether a rescale turns whole values into fractions. An integer array would cut these off. */
export const makesFractions = (scaling: object): boolean =>
  Object.values(scaling).some((value) => typeof value === 'number' && !Number.isInteger(value));

/** Puts minimum and maximum in order after a rescale, because a negative slope swaps them. */
export const inOrder = ({ min, max }: { min: number; max: number }) => ({
  min: Math.min(min, max),
  max: Math.max(min, max),
});
