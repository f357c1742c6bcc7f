import { expect, test } from 'vitest';
import { traceMask } from './trace-mask.ts';

const maskOf = (...rows: string[]) => ({
  top: 10,
  left: 20,
  rows: rows.length,
  columns: rows[0]?.length ?? 0,
  values: Uint8ClampedArray.from(rows.join(''), (pixel) => (pixel === '#' ? 255 : 0)),
});

test('traces the corners of a rectangle at the edges of its pixels', () => {
  expect(traceMask(maskOf('##', '##'))).toEqual([[19.5, 9.5, 21.5, 9.5, 21.5, 11.5, 19.5, 11.5]]);
});

test('traces a hole as a line of its own', () => {
  const lines = traceMask(maskOf('###', '#.#', '###'));

  expect(lines).toHaveLength(2);
  expect(lines.map((line) => line.length / 2)).toEqual([4, 4]);
});

test('traces pixels that touch at a corner, and areas that do not touch', () => {
  const areaOf = (line: readonly number[]) => {
    let doubled = 0;
    for (let at = 0; at < line.length; at += 2) {
      const next = (at + 2) % line.length;
      doubled += (line[at] ?? 0) * (line[next + 1] ?? 0) - (line[next] ?? 0) * (line[at + 1] ?? 0);
    }
    return Math.abs(doubled) / 2;
  };
  const total = (...rows: string[]) => traceMask(maskOf(...rows)).reduce((sum, line) => sum + areaOf(line), 0);

  expect(total('#.', '.#')).toBe(2);
  expect(total('#..#', '#..#')).toBe(4);
  expect(traceMask(maskOf('..', '..'))).toEqual([]);
});
