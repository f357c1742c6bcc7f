type Size = { rows: number; columns: number };

/**
 * Ends of a line piece by the corners of a cell that are high. The sides of a cell are numbered clockwise from the top.
 */
const sidesByCorners: Record<number, readonly (readonly [number, number])[]> = {
  1: [[3, 0]],
  2: [[0, 1]],
  3: [[3, 1]],
  4: [[1, 2]],
  6: [[0, 2]],
  7: [[3, 2]],
  8: [[2, 3]],
  9: [[2, 0]],
  11: [[2, 1]],
  12: [[1, 3]],
  13: [[1, 0]],
  14: [[0, 3]],
};

/**
 * Line pieces through a cell with two high corners opposite each other. They depend on whether the middle of the cell
 * is high or low.
 */
const saddles = {
  5: {
    high: [
      [3, 2],
      [1, 0],
    ],
    low: [
      [3, 0],
      [1, 2],
    ],
  },
  10: {
    high: [
      [0, 3],
      [2, 1],
    ],
    low: [
      [0, 1],
      [2, 3],
    ],
  },
} as const;

/**
 * Returns the line along which values have a level, as an SVG path (marching squares). Coordinates are image pixels; the
 * center of the first pixel is 0.5, 0.5. The line ends where values are no numbers.
 */
export const isoline = (values: Float32Array, { rows, columns }: Size, level: number): string => {
  const pieces: string[] = [];
  for (let row = 0; row < rows - 1; row += 1) {
    for (let column = 0; column < columns - 1; column += 1) {
      const at = row * columns + column;
      const [a = 0, b = 0, c = 0, d = 0] = [values[at], values[at + 1], values[at + columns + 1], values[at + columns]];
      const corners = (a >= level ? 1 : 0) + (b >= level ? 2 : 0) + (c >= level ? 4 : 0) + (d >= level ? 8 : 0);
      if (corners === 0 || corners === 15 || Number.isNaN(a + b + c + d)) continue;
      const isHigh = (a + b + c + d) / 4 >= level;
      const sides =
        corners === 5 || corners === 10 ? saddles[corners][isHigh ? 'high' : 'low'] : (sidesByCorners[corners] ?? []);
      const share = (from: number, to: number) => (level - from) / (to - from);
      const pointOn = (side: number): string => {
        const [x, y] = [column + 0.5, row + 0.5];
        if (side === 0) return `${(x + share(a, b)).toFixed(2)} ${y}`;
        if (side === 1) return `${x + 1} ${(y + share(b, c)).toFixed(2)}`;
        if (side === 2) return `${(x + share(d, c)).toFixed(2)} ${y + 1}`;
        return `${x} ${(y + share(a, d)).toFixed(2)}`;
      };
      for (const [from, to] of sides) pieces.push(`M${pointOn(from)}L${pointOn(to)}`);
    }
  }
  return pieces.join('');
};
