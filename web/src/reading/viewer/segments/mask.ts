import { t } from '@lingui/core/macro';
import type { Masks } from './segment-set.ts';

/**
 * Part of a frame that a segment covers, as the smallest rectangle around it. Values from 0 (outside) to 255 (whole
 * pixel).
 */
export type Mask = { top: number; left: number; rows: number; columns: number; values: Uint8ClampedArray };

type Format = Pick<Masks, 'type' | 'rows' | 'columns' | 'bitsAllocated' | 'maximum'>;

/** Returns how much of a pixel the segment covers, from 0 to 255. */
type Reading = (pixel: number) => number;

/** Error for a frame whose length contradicts its header. */
export class WrongFrame extends Error {
  override readonly name = 'WrongFrame';
}

/**
 * Returns a function that reads the pixels of a frame. Single bits start at the lowest bit (PS3.5 §8.1.1), and each
 * frame at a new byte. Decoders may convert bits to bytes. Other values are bytes or words. Throws WrongFrame.
 */
const readingOf = (bytes: Uint8Array, format: Format, segment: number): Reading => {
  const { type, rows, columns, bitsAllocated, maximum } = format;
  const pixels = rows * columns;
  // A frame of odd length may have a padding byte.
  const isLength = (expected: number) => bytes.length === expected || bytes.length === expected + (expected % 2);
  if (type === 'BINARY' && isLength(Math.ceil(pixels / 8))) {
    return (pixel) => (((bytes[pixel >> 3] ?? 0) >> (pixel & 7)) & 1) * 255;
  }
  if (type === 'BINARY' && isLength(pixels)) return (pixel) => ((bytes[pixel] ?? 0) > 0 ? 255 : 0);
  if (type === 'FRACTIONAL' && isLength(pixels)) return (pixel) => ((bytes[pixel] ?? 0) / maximum) * 255;
  if (type === 'LABELMAP' && bitsAllocated === 8 && isLength(pixels)) {
    return (pixel) => (bytes[pixel] === segment ? 255 : 0);
  }
  if (type === 'LABELMAP' && bitsAllocated === 16 && bytes.length === 2 * pixels) {
    return (pixel) => ((bytes[2 * pixel] ?? 0) + 256 * (bytes[2 * pixel + 1] ?? 0) === segment ? 255 : 0);
  }
  const size = bytes.length;
  throw new WrongFrame(t`A frame has ${size} bytes, which do not match ${rows} rows and ${columns} columns.`);
};

/** Returns the part of a frame that a segment covers. Undefined if there is none. Throws WrongFrame. */
export const maskOf = (bytes: Uint8Array, format: Format, segment: number): Mask | undefined => {
  const valueOf = readingOf(bytes, format, segment);
  const { rows, columns } = format;
  let [top, bottom, left, right] = [rows, -1, columns, -1];
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      if (valueOf(row * columns + column) === 0) continue;
      if (row < top) top = row;
      bottom = row;
      if (column < left) left = column;
      if (column > right) right = column;
    }
  }
  if (bottom < 0) return undefined;
  const [height, width] = [bottom - top + 1, right - left + 1];
  const values = new Uint8ClampedArray(height * width);
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      values[row * width + column] = valueOf((top + row) * columns + left + column);
    }
  }
  return { top, left, rows: height, columns: width, values };
};

/** Value from which a pixel counts as inside: half of it is covered. */
const inside = 127.5;

/**
 * Returns the edges between inside and outside pixels, in frame coordinates (whole numbers are pixel centers). Each
 * edge is four numbers: start column, start row, end column, end row.
 */
export const edgesOf = ({ top, left, rows, columns, values }: Mask): number[] => {
  const isInside = (row: number, column: number): boolean =>
    row >= 0 && row < rows && column >= 0 && column < columns && (values[row * columns + column] ?? 0) > inside;
  const lines: number[] = [];
  /** Joins neighboring edges between the same two rows or columns into one edge. */
  const along = (length: number, isEdge: (at: number) => boolean, add: (from: number, to: number) => void) => {
    let start = -1;
    for (let at = 0; at <= length; at += 1) {
      const isOne = at < length && isEdge(at);
      if (isOne && start < 0) start = at;
      if (!isOne && start >= 0) {
        add(start, at);
        start = -1;
      }
    }
  };
  for (let row = 0; row <= rows; row += 1) {
    const y = top + row - 0.5;
    along(
      columns,
      (column) => isInside(row - 1, column) !== isInside(row, column),
      (from, to) => lines.push(left + from - 0.5, y, left + to - 0.5, y),
    );
  }
  for (let column = 0; column <= columns; column += 1) {
    const x = left + column - 0.5;
    along(
      rows,
      (row) => isInside(row, column - 1) !== isInside(row, column),
      (from, to) => lines.push(x, top + from - 0.5, x, top + to - 0.5),
    );
  }
  return lines;
};
