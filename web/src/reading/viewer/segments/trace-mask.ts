import type { Mask } from './mask.ts';

/** Value from which a pixel counts as inside: half of it is covered. */
const inside = 127.5;

/** Removes corners between two edges of one direction. */
const withoutStraight = (corners: readonly number[], width: number): number[] => {
  const placeOf = (corner: number) => [corner % width, Math.floor(corner / width)] as const;
  return corners.filter((corner, at) => {
    const [[x, y], [x1, y1], [x2, y2]] = [
      placeOf(corner),
      placeOf(corners.at(at - 1) ?? corner),
      placeOf(corners[(at + 1) % corners.length] ?? corner),
    ];
    return (x - x1) * (y2 - y) !== (y - y1) * (x2 - x);
  });
};

/**
 * Returns the closed lines around the pixels that a mask covers by more than half. Each line is a list of corners: column
 * and row in frame coordinates, in which whole numbers are pixel centers. An area is filled by the even-odd rule.
 */
export const traceMask = ({ top, left, rows, columns, values }: Mask): number[][] => {
  const isInside = (row: number, column: number): boolean =>
    row >= 0 && row < rows && column >= 0 && column < columns && (values[row * columns + column] ?? 0) > inside;
  const width = columns + 1;
  /** Ends of the edges that start at a corner. Each edge has the inside on its right. */
  const edges = new Map<number, number[]>();
  const add = (from: number, to: number) => {
    const ends = edges.get(from);
    if (ends) ends.push(to);
    else edges.set(from, [to]);
  };
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      if (!isInside(row, column)) continue;
      const corner = row * width + column;
      if (!isInside(row - 1, column)) add(corner, corner + 1);
      if (!isInside(row, column + 1)) add(corner + 1, corner + 1 + width);
      if (!isInside(row + 1, column)) add(corner + 1 + width, corner + width);
      if (!isInside(row, column - 1)) add(corner + width, corner);
    }
  }
  const lines: number[][] = [];
  for (const start of edges.keys()) {
    // Each corner has as many edges that end there as edges that start, so each walk returns to its start.
    while ((edges.get(start)?.length ?? 0) > 0) {
      const corners: number[] = [];
      let corner = start;
      do {
        corners.push(corner);
        corner = edges.get(corner)?.pop() ?? start;
      } while (corner !== start);
      lines.push(
        withoutStraight(corners, width).flatMap((one) => [
          left + (one % width) - 0.5,
          top + Math.floor(one / width) - 0.5,
        ]),
      );
    }
  }
  return lines;
};
