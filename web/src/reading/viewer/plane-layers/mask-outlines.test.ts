import { expect, test } from 'vitest';
import type { Vector } from '#reading/viewer/images/geometry/image-plane.ts';
import type { Slice } from '#reading/viewer/images/geometry/slice.ts';
import type { MaskFrame, Masks, SegmentSet } from '#reading/viewer/segments/segment-set.ts';
import { sectionOf } from './contours-on-plane.ts';
import { outlinesOfMasks } from './mask-outlines.ts';

const slice = (height: number): Slice => ({
  position: [10, 20, height],
  along: [1, 0, 0],
  down: [0, 1, 0],
  rows: 8,
  columns: 8,
  rowSpacing: 2,
  columnSpacing: 2,
  frameOfReference: '1.2',
});

const frame = (number: number, height: number): MaskFrame => ({
  number,
  segment: 1,
  slice: slice(height),
  hasPosition: true,
  references: [],
});

/** Pixels of 8 x 8 in whole bytes: a square of 4 x 4 from row 2 and column 3, with a hole of one pixel. */
const square = Uint8Array.from({ length: 64 }, (_, at) => {
  const [row, column] = [Math.floor(at / 8), at % 8];
  const isHole = row === 3 && column === 4;
  return row >= 2 && row < 6 && column >= 3 && column < 7 && !isHole ? 1 : 0;
});

const setOf = (frames: readonly MaskFrame[], more: Partial<Masks> = {}, regions = [1]): SegmentSet => ({
  studyInstanceUID: '1',
  seriesInstanceUID: '2',
  sopInstanceUID: '3',
  title: '',
  kind: '',
  patientId: '',
  frameOfReference: '1.2',
  madeOn: [],
  regions: regions.map((number) => ({ key: `${number}`, number, name: '', words: '', color: [255, 0, 0], lack: '' })),
  masks: { type: 'BINARY', rows: 8, columns: 8, bitsAllocated: 1, maximum: 1, reach: 1.5, frames, ...more },
  lack: '',
});

/** Traces a segmentation. The frames of some numbers have no pixels. */
const outlinesIn = (set: SegmentSet, empty: readonly number[] = []) =>
  outlinesOfMasks(
    set,
    new AbortController().signal,
    async (numbers) => new Map(numbers.map((one) => [one, empty.includes(one) ? new Uint8Array(64) : square])),
  );

/** Outline of segment 1. */
const firstIn = async (set: SegmentSet, empty?: readonly number[]) =>
  (await outlinesIn(set, empty)).get(1) ?? { contours: [] };

/** Plane of 1 mm samples whose first sample is at a point. */
const plane = (position: Vector, along: Vector, down: Vector): Slice => ({
  ...slice(0),
  position,
  along,
  down,
  rows: 60,
  columns: 60,
  rowSpacing: 1,
  columnSpacing: 1,
});

type Point = readonly [x: number, y: number];

/** Whether a point of the plane, in mm from its first sample, is in the section, by the even-odd rule. */
const covers = (paths: readonly string[], [x, y]: Point): boolean => {
  const [atX, atY] = [x + 0.5, y + 0.5];
  let isInside = false;
  for (const part of paths.join('').split('M').slice(1)) {
    const points = part
      .replace('Z', '')
      .split('L')
      .map((one) => one.split(' ').map(Number));
    for (const [at, [x1 = 0, y1 = 0]] of points.entries()) {
      const [x2 = 0, y2 = 0] = points[(at + 1) % points.length] ?? [];
      if (y1 > atY !== y2 > atY && atX < x1 + ((atY - y1) / (y2 - y1)) * (x2 - x1)) isInside = !isInside;
    }
  }
  return isInside;
};

const three = [frame(1, 0), frame(2, 3), frame(3, 6)];

test('a plane along the frames shows the pixels of the segment at their places, and leaves its hole empty', async () => {
  const { areas } = sectionOf(await firstIn(setOf(three)), plane([10, 20, 3], [1, 0, 0], [0, 1, 0]));

  // The square has its corners at 5 and 13 mm across, 3 and 11 mm down. The hole is from 7 to 9 mm across, 5 to 7 down.
  const inside: Point[] = [
    [5.2, 3.2],
    [12.8, 10.8],
    [6.5, 6],
    [10, 6],
  ];
  const outside: Point[] = [
    [4.8, 6],
    [13.2, 6],
    [8, 6],
    [9, 2.8],
    [9, 11.2],
  ];
  expect(inside.map((point) => covers(areas, point))).toEqual(inside.map(() => true));
  expect(outside.map((point) => covers(areas, point))).toEqual(outside.map(() => false));
});

test('a plane across the frames shows each frame as thick as the distance to its neighbors', async () => {
  // Runs through row 2 of the frames, above their hole; down is toward the feet, from 20 mm.
  const { areas } = sectionOf(await firstIn(setOf(three)), plane([10, 24, 20], [1, 0, 0], [0, 0, -1]));

  const inside: Point[] = [
    [6, 20 - 7.3],
    [12, 20],
    [9, 17],
    [9, 20 + 1.3],
  ];
  const outside: Point[] = [
    [9, 20 - 7.7],
    [9, 20 + 1.7],
    [4.8, 17],
    [13.2, 17],
  ];
  expect(inside.map((point) => covers(areas, point))).toEqual(inside.map(() => true));
  expect(outside.map((point) => covers(areas, point))).toEqual(outside.map(() => false));
});

/** Heights from -30 to 80 mm, in steps of 0.5 mm, at which a segment is drawn on a plane across its frames. */
const heightsOf = (outline: Parameters<typeof sectionOf>[0]): number[] => {
  const { areas } = sectionOf(outline, plane([10, 24, 80], [1, 0, 0], [0, 0, -1]));
  return Array.from({ length: 220 }, (_, at) => at / 2 - 29.75).filter((height) => covers(areas, [9, 80 - height]));
};

/** Heights at which each drawn frame reaches half a distance to both sides. */
const around = (heights: readonly number[], half: number): number[] =>
  heights.flatMap((height) => Array.from({ length: 4 * half }, (_, at) => height - half + at / 2 + 0.25));

const withAll = Array.from({ length: 52 }, (_, at) => frame(at + 1, at));
const forAll = withAll.map((one) => ({ ...one, segment: undefined }));
const emptyExcept = (heights: readonly number[]) =>
  withAll.map(({ number }) => number).filter((number) => !heights.includes(number - 1));

const withPixels = [0, 50, 51].map((at) => frame(at + 1, at));

test.each([
  ['a label map', [0, 50], setOf(forAll, { type: 'LABELMAP', bitsAllocated: 8, reach: 0.5 })],
  ['a label map', [0, 50, 51], setOf(forAll, { type: 'LABELMAP', bitsAllocated: 8, reach: 0.5 })],
  ['a binary segmentation with empty frames', [0, 50], setOf(withAll, { reach: 0.5 })],
  ['a binary segmentation with empty frames', [0, 50, 51], setOf(withAll, { reach: 0.5 })],
  ['a binary segmentation without empty frames', [0, 50, 51], setOf(withPixels, { reach: 0.5 })],
] as const)('a segment of %s with pixels only at %j mm is empty between them', async (_, heights, set) => {
  const outline = await firstIn(set, emptyExcept(heights));

  expect(heightsOf(outline)).toEqual(around(heights, 0.5));
  expect(sectionOf(outline, plane([10, 20, 25], [1, 0, 0], [0, 1, 0])).areas).toEqual([]);
});

test('a segment reaches halfway to an empty frame, also where frames are closer than usual', async () => {
  const frames = [0, 2, 4, 6, 7, 8].map((height, at) => frame(at + 1, height));

  expect(heightsOf(await firstIn(setOf(frames), [1, 2, 3, 5]))).toEqual([5.25, 5.75, 6.25, 7.75, 8.25, 8.75]);
});

test.each([
  ['with other frames that are empty', withAll.slice(0, 11), { reach: 0.5 }, 0.5],
  ['of 5 mm that is the only one', [frame(6, 5)], { reach: 2.5 }, 2.5],
] as const)('a single frame %s is as thick as the file says', async (_, frames, more, half) => {
  expect(heightsOf(await firstIn(setOf(frames, more), emptyExcept([5])))).toEqual(around([5], half));
});

test('each frame of a label map is fetched once for all its segments', async () => {
  const set = setOf(forAll, { type: 'LABELMAP', bitsAllocated: 8, reach: 0.5 }, [1, 2, 3]);
  const fetched: number[] = [];
  const outlines = await outlinesOfMasks(set, new AbortController().signal, async (numbers) => {
    fetched.push(...numbers);
    return new Map(numbers.map((one) => [one, square.map((pixel) => pixel * ((one % 3) + 1))]));
  });

  expect(fetched).toEqual(forAll.map(({ number }) => number));
  expect([1, 2, 3].map((region) => outlines.get(region)?.contours.length)).toEqual([34, 36, 34]);
});

test('each segment of a label map has its own outlines', async () => {
  const frames = [frame(1, 0), frame(2, 3)].map((one) => ({ ...one, segment: undefined }));
  const set = setOf(frames, { type: 'LABELMAP', bitsAllocated: 8 }, [1, 2]);
  const outlines = await outlinesIn(set);

  expect(outlines.get(1)?.contours.length).toBeGreaterThan(0);
  expect(outlines.get(2)?.contours).toEqual([]);
});

test.each([
  ['a fractional segmentation', setOf(three, { type: 'FRACTIONAL', maximum: 1 })],
  ['two frames at one place', setOf([...three, frame(4, 3)])],
  ['a frame without a position', setOf([...three, { ...frame(4, 9), slice: undefined, hasPosition: false }])],
  ['a frame at an angle', setOf([...three, { ...frame(4, 9), slice: { ...slice(9), down: [0, 0, -1] } }])],
  ['frames thinner than their distance', setOf(three, { reach: 0.5 })],
  ['another frame of reference', setOf([...three, { ...frame(4, 9), slice: { ...slice(9), frameOfReference: '9' } }])],
])('leaves out a segment with %s, which counts as not drawn', async (_, set) => {
  expect((await outlinesIn(set)).has(1)).toBe(false);
});
