import { expect, test } from 'vitest';
import { DicomError } from './dicom-error.ts';
import { expandedPalette } from './segmented-palette.ts';

const expanded = (words: number[], entries = 256) => [...expandedPalette(Uint16Array.from(words), entries)];

test('a segmented palette copies runs and interpolates lines from the previous value', () => {
  expect(expanded([0, 3, 5, 6, 7, 1, 4, 15])).toEqual([5, 6, 7, 9, 11, 13, 15]);
  expect(expanded([0, 1, 10, 1, 2, 0])).toEqual([10, 5, 0]);
});

test('a segmented palette repeats segments by their offset in bytes', () => {
  expect(expanded([0, 2, 1, 2, 1, 2, 6, 2, 2, 0, 0])).toEqual([1, 2, 4, 6, 1, 2, 4, 6]);
});

test.each([
  ['a line without a start value', [1, 4, 15]],
  ['a truncated run', [0, 9, 1]],
  ['a segment of unknown type', [3, 1, 1]],
  ['a segment that repeats itself', [0, 1, 1, 2, 1, 6, 0]],
  ['an offset outside the palette', [0, 1, 1, 2, 1, 600, 0]],
  ['more entries than declared', [0, 3, 1, 2, 3, 1, 60_000, 9, 0, 1, 1]],
])('a segmented palette with %s is refused as damaged', (_, words) => {
  expect(() => expanded(words, 16)).toThrow(DicomError);
});
