import { expect, test } from 'vitest';
import { edgesOf, maskOf } from './mask.ts';

/** Draws a mask row by row; "#" is a pixel inside. */
const bitmap = (...rows: string[]) => rows.map((row) => Array.from(row, (letter) => letter === '#'));

const bits = (picture: boolean[][]): Uint8Array => {
  const flat = picture.flat();
  const bytes = new Uint8Array(Math.ceil(flat.length / 8));
  for (const [at, isInside] of flat.entries()) if (isInside) bytes[at >> 3] = (bytes[at >> 3] ?? 0) | (1 << (at & 7));
  return bytes;
};

const format = (picture: boolean[][]) => ({
  type: 'BINARY' as const,
  rows: picture.length,
  columns: picture[0]?.length ?? 0,
  bitsAllocated: 1,
  maximum: 255,
});

test('single-bit masks are read from the lowest bit of each byte, even if rows end inside a byte', () => {
  const picture = bitmap('.....', '..##.', '..#..');

  expect(maskOf(bits(picture), format(picture), 1)).toEqual({
    top: 1,
    left: 2,
    rows: 2,
    columns: 2,
    values: Uint8ClampedArray.of(255, 255, 255, 0),
  });
});

test('single-bit masks are also read from a decoder that writes bytes', () => {
  const picture = bitmap('.....', '..##.', '..#..');
  const bytes = Uint8Array.from(picture.flat(), (isInside) => (isInside ? 1 : 0));

  expect(maskOf(bytes, format(picture), 1)).toEqual(maskOf(bits(picture), format(picture), 1));
});

test('a fractional mask is relative to the maximum fractional value', () => {
  const mask = maskOf(
    Uint8Array.of(0, 50, 100, 200),
    { ...format(bitmap('....')), type: 'FRACTIONAL', maximum: 200 },
    1,
  );

  expect(mask).toMatchObject({ left: 1, columns: 3, values: Uint8ClampedArray.of(64, 128, 255) });
});

test('in a label map a pixel belongs to the segment with its value, in 8 or 16 bits', () => {
  const labels = { ...format(bitmap('...')), type: 'LABELMAP' as const };

  expect(maskOf(Uint8Array.of(2, 7, 2), { ...labels, bitsAllocated: 8 }, 7)).toMatchObject({ left: 1, columns: 1 });
  expect(maskOf(Uint8Array.of(2, 0, 2, 1, 0, 0), { ...labels, bitsAllocated: 16 }, 258)).toMatchObject({
    left: 1,
    columns: 1,
  });
});

test('an empty frame gives no mask, and a frame of wrong length is refused', () => {
  const picture = bitmap('.....', '.....', '.....');

  expect(maskOf(bits(picture), format(picture), 1)).toBeUndefined();
  expect(() => maskOf(new Uint8Array(5), format(picture), 1)).toThrow(/5 bytes/);
});

test('the outline of a mask follows the outer edges of its pixels, and the edges of holes', () => {
  const picture = bitmap('.....', '.###.', '.#.#.', '.###.');
  const mask = maskOf(bits(picture), format(picture), 1);
  const edges = mask ? edgesOf(mask) : [];
  const lines = Array.from({ length: edges.length / 4 }, (_, at) => edges.slice(at * 4, at * 4 + 4).join(' '));

  expect(lines.toSorted()).toEqual(
    [
      '0.5 0.5 3.5 0.5',
      '0.5 3.5 3.5 3.5',
      '0.5 0.5 0.5 3.5',
      '3.5 0.5 3.5 3.5',
      '1.5 1.5 2.5 1.5',
      '1.5 2.5 2.5 2.5',
      '1.5 1.5 1.5 2.5',
      '2.5 1.5 2.5 2.5',
    ].toSorted(),
  );
});
