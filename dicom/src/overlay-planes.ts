import { type AnyHeader, numberIn, textIn } from './any-header.ts';

/** An overlay plane of an image (PS3.3 §C.9.2): one bit per pixel, such as a side marker or an outline. */
export type OverlayPlane = {
  /** "6000" to "601E". */
  group: string;
  rows: number;
  columns: number;
  /** Row and column of the image, from 0, at which the plane begins. They may lie outside the image. */
  top: number;
  left: number;
  /** Whether the plane marks a region. A region is drawn as an outline, because its area would hide the image. */
  isRegion: boolean;
  /** Label or description by its author; '' if it has none. */
  name: string;
  /** Frames of the plane. The first belongs to `firstFrame` of the image (from 1). Undefined: it is in all frames. */
  frames: number;
  firstFrame: number | undefined;
  /** Bits from one pixel to the next, and the bit of the first pixel. */
  bitsPerPixel: number;
  bitPosition: number;
  /** Whether the plane lies in unused bits of the pixel cells, as was allowed before 2004. */
  isInPixels: boolean;
};

/** A plane for one frame: the bit of a pixel is `firstBit` + `bitsPerPixel` x its index. Bit 0 of a byte comes first. */
export type PlaneBits = { plane: OverlayPlane; bytes: Uint8Array; firstBit: number; bitsPerPixel: number };

const hasData = (header: AnyHeader, tag: string): boolean => {
  const { InlineBinary, BulkDataURI } = header[tag] ?? {};
  return Boolean(InlineBinary) || BulkDataURI !== undefined;
};

const [imageRows, imageColumns, bitsAllocatedTag, bitsStoredTag, highBitTag] = [
  '00280010',
  '00280011',
  '00280100',
  '00280101',
  '00280102',
] as const;

/** Whether a bit of a cell is none of the stored bits of a pixel. */
const isUnusedBit = (header: AnyHeader, bit: number): boolean => {
  const allocated = numberIn(header, bitsAllocatedTag) ?? 0;
  const stored = numberIn(header, bitsStoredTag) ?? allocated;
  const high = numberIn(header, highBitTag) ?? stored - 1;
  return bit >= 0 && bit < allocated && (bit > high || bit <= high - stored);
};

/** The group of each overlay plane in a header. A plane has data, or a bit in the pixels. */
const groupsOf = (header: AnyHeader): string[] => {
  const groups = new Set<string>();
  for (const tag of Object.keys(header)) {
    const [, group, attribute] = /^(60[01][02468ACE])(3000|0102)$/.exec(tag) ?? [];
    if (!group) continue;
    if (attribute === '3000' && hasData(header, tag)) groups.add(group);
    const bit = numberIn(header, tag) ?? 0;
    const allocated = numberIn(header, `${group}0100`) ?? 1;
    if (attribute === '0102' && !hasData(header, `${group}3000`) && (allocated > 1 || bit > 0)) groups.add(group);
  }
  return [...groups].toSorted();
};

const planeOf = (header: AnyHeader, group: string): OverlayPlane => {
  const of = (element: string, at = 0) => numberIn(header, `${group}${element}`, at);
  const isInPixels = !hasData(header, `${group}3000`);
  const [rows, columns] = [numberIn(header, imageRows) ?? 0, numberIn(header, imageColumns) ?? 0];
  const frames = isInPixels ? 1 : Math.max(1, of('0015') ?? 1);
  const origin = of('0051');
  const allocated = of('0100') ?? 1;
  const bit = of('0102') ?? 0;
  return {
    group,
    rows: isInPixels ? rows : (of('0010') ?? rows),
    columns: isInPixels ? columns : (of('0011') ?? columns),
    // The first pixel of the image is 1\1.
    top: isInPixels ? 0 : (of('0050') ?? 1) - 1,
    left: isInPixels ? 0 : (of('0050', 1) ?? 1) - 1,
    isRegion: textIn(header, `${group}0040`) === 'R',
    name: textIn(header, `${group}1500`) || textIn(header, `${group}0022`),
    frames,
    // A single plane without a frame of its own belongs to all frames.
    firstFrame: isInPixels || (frames === 1 && origin === undefined) ? undefined : (origin ?? 1),
    bitsPerPixel: isInPixels ? (numberIn(header, bitsAllocatedTag) ?? 0) : Math.max(1, allocated),
    bitPosition: isInPixels || allocated > 1 ? bit : 0,
    isInPixels,
  };
};

/**
 * Returns the overlay planes of an image, by group. `isReadable` is false for a plane that cannot be drawn: one without
 * a size, or one that names a bit of the pixels themselves.
 */
export const overlayPlanesOf = (header: AnyHeader): { plane: OverlayPlane; isReadable: boolean }[] =>
  groupsOf(header).map((group) => {
    const plane = planeOf(header, group);
    const hasSize = plane.rows > 0 && plane.columns > 0;
    const isSingle = (numberIn(header, '00280002') ?? 1) === 1;
    return {
      plane,
      isReadable: hasSize && (!plane.isInPixels || (isSingle && isUnusedBit(header, plane.bitPosition))),
    };
  });

/** Whether a plane is drawn on a frame of the image (from 1). */
export const isOnFrame = ({ firstFrame, frames }: OverlayPlane, frame: number): boolean =>
  firstFrame === undefined || (frame >= firstFrame && frame < firstFrame + frames);

/** Returns the bits of a plane for a frame of the image (from 1). `data` is the Overlay Data (60xx,3000) of the file. */
export const planeBitsOf = (plane: OverlayPlane, data: Uint8Array, frame: number): PlaneBits => {
  const pixels = plane.rows * plane.columns;
  const index = plane.firstFrame === undefined ? 0 : frame - plane.firstFrame;
  // Some writers state the allocated bits of the image, although the data has one bit per pixel (PS3.3 §C.9.2).
  const isWide = plane.bitsPerPixel > 1 && 8 * data.length >= pixels * plane.frames * plane.bitsPerPixel;
  const bitsPerPixel = isWide ? plane.bitsPerPixel : 1;
  const start = index * pixels * bitsPerPixel;
  // Copies only the bytes of the frame, because they travel to the rendering process.
  const bytes = data.slice(start >> 3, Math.ceil((start + pixels * bitsPerPixel) / 8));
  return { plane, bytes, firstBit: (start & 7) + (isWide ? plane.bitPosition : 0), bitsPerPixel };
};

/** Returns the bits of a plane in unused bits of uncompressed pixels, in little endian. */
export const planeBitsIn = (plane: OverlayPlane, pixels: Uint8Array): PlaneBits => ({
  plane,
  bytes: pixels,
  firstBit: plane.bitPosition,
  bitsPerPixel: plane.bitsPerPixel,
});

/** Whether the data has a bit for each pixel. The rest of a shorter plane is not drawn. */
export const isWholePlane = ({ plane, bytes, firstBit, bitsPerPixel }: PlaneBits): boolean =>
  8 * bytes.length > firstBit + (plane.rows * plane.columns - 1) * bitsPerPixel;

/**
 * Calls `draw` with the index of each pixel of the image that a plane marks. Leaves out the part outside the image. Of a
 * region, only the outline is drawn.
 */
export const eachMarkedPixel = (
  { plane, bytes, firstBit, bitsPerPixel }: PlaneBits,
  image: { rows: number; columns: number },
  draw: (index: number) => void,
): void => {
  const { rows, columns, top, left, isRegion } = plane;
  const isSet = (row: number, column: number): boolean => {
    if (row < 0 || column < 0 || row >= rows || column >= columns) return false;
    const bit = firstBit + (row * columns + column) * bitsPerPixel;
    // A plane may have more than 2^31 bits, so the byte is not found by a shift.
    return (((bytes[Math.floor(bit / 8)] ?? 0) >> (bit % 8)) & 1) === 1;
  };
  const isInside = (row: number, column: number) =>
    isSet(row - 1, column) && isSet(row + 1, column) && isSet(row, column - 1) && isSet(row, column + 1);
  const [firstRow, endRow] = [Math.max(0, -top), Math.min(rows, image.rows - top)];
  const [firstColumn, endColumn] = [Math.max(0, -left), Math.min(columns, image.columns - left)];
  for (let row = firstRow; row < endRow; row += 1) {
    for (let column = firstColumn; column < endColumn; column += 1) {
      if (!isSet(row, column) || (isRegion && isInside(row, column))) continue;
      draw((row + top) * image.columns + column + left);
    }
  }
};
