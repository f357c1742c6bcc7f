import { type LookupTable, valueInTable } from '@radwork/dicom/lookup-table';

/** The cells that a decoder gives, as it understood them. */
type Cells = ArrayLike<number> & { readonly BYTES_PER_ELEMENT: number };

/** What the header says of them (PS3.3 §C.7.6.3.1); a frame has what the imaging library knows of it. */
type Frame = {
  pixelData: Cells;
  bitsAllocated: number;
  bitsStored?: number | undefined;
  highBit?: number | undefined;
  pixelRepresentation?: number | undefined;
  samplesPerPixel?: number | undefined;
  rows?: number | undefined;
  columns?: number | undefined;
  /** What makes values of the numbers (PS3.3 §C.11.1), where that is no slope. */
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
 * The numbers of a grey frame out of its cells (PS3.5 §8.1.1): the bits that count, wherever they lie, with the sign that
 * the header gives them; overlays may be kept in the others. Decoders go by what a codestream says of its sign, which some
 * encoders write otherwise, and the imaging library leaves bits beyond the stored ones where no sign is.
 */
export const storedNumbers = (frame: Frame): Cells => {
  const { pixelData: cells, bitsAllocated, bitsStored = 0, pixelRepresentation, samplesPerPixel = 1 } = frame;
  if (bitsAllocated === 1) return singleBits(frame);
  const isDescribed = bitsStored > 1 && bitsStored <= bitsAllocated && pixelRepresentation !== undefined;
  if (samplesPerPixel > 1 || !isDescribed || isFloat(cells) || bitsAllocated > 32) return cells;
  const { highBit = bitsStored - 1 } = frame;
  if (highBit < bitsStored - 1 || highBit >= bitsAllocated) return cells;
  const isSigned = pixelRepresentation === 1;
  // What a decoder gave in fewer bits than there are stored has no others.
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

/** The server has a frame of single bits begin with bit 0 of a byte, which is its first pixel (PS3.5 §8.1.1). */
const singleBits = ({ pixelData: bytes, rows = 0, columns = 0 }: Frame): Cells =>
  Uint8Array.from({ length: rows * columns }, (_, pixel) => ((bytes[pixel >> 3] ?? 0) >> (pixel & 7)) & 1);

/** The numbers of a grey frame that are measured, but for a slope: what its table makes of those that are stored. */
export const measuredNumbers = (frame: Frame): Cells => {
  const [numbers, { modalityTable }] = [storedNumbers(frame), frame];
  if (!modalityTable) return numbers;
  // Else it would be kept with each frame.
  delete frame.modalityTable;
  return Uint16Array.from(numbers, (number) => valueInTable(modalityTable, number));
};

/** Whether rescaling makes fractions of whole numbers: a table of whole numbers would cut them off. */
export const makesFractions = (scaling: object): boolean =>
  Object.values(scaling).some((value) => typeof value === 'number' && !Number.isInteger(value));

/** The lowest and the highest number after rescaling: a negative slope turns them round. */
export const inOrder = ({ min, max }: { min: number; max: number }) => ({
  min: Math.min(min, max),
  max: Math.max(min, max),
});
