import { expect, test } from 'vitest';
import type { Vector } from '#reading/viewer/images/geometry/image-plane.ts';
import type { Slice } from '#reading/viewer/images/geometry/slice.ts';
import type { Contour } from '#reading/viewer/segments/segment-set.ts';
import { sectionOf as sectionOfOutline } from './contours-on-plane.ts';

/** Section with a region of a structure set. */
const sectionOf = (contours: readonly Contour[], slice: Slice) => sectionOfOutline({ contours }, slice);

/** Plane with 2 samples per mm, whose sample at row 100 and column 100 is the origin. */
const plane = (along: Vector, down: Vector, away = 0): Slice => {
  const normal: Vector = [
    along[1] * down[2] - along[2] * down[1],
    along[2] * down[0] - along[0] * down[2],
    along[0] * down[1] - along[1] * down[0],
  ];
  const axis = (index: 0 | 1 | 2) => -50 * along[index] - 50 * down[index] + away * normal[index];
  return {
    position: [axis(0), axis(1), axis(2)],
    along,
    down,
    rows: 201,
    columns: 201,
    rowSpacing: 0.5,
    columnSpacing: 0.5,
    frameOfReference: '1.2',
  };
};

const axial = (height = 0) => plane([1, 0, 0], [0, 1, 0], height);
const coronal = (posterior = 0) => plane([1, 0, 0], [0, 0, -1], posterior);
const sagittal = () => plane([0, 1, 0], [0, 0, -1]);
const half = Math.SQRT1_2;
const oblique = () => plane([1, 0, 0], [0, half, -half]);

const circle = (height: number, radius: number, [left, posterior]: readonly [number, number] = [0, 0]): Contour => ({
  kind: 'closed',
  isExclusive: false,
  points: Float64Array.from(
    Array.from({ length: 90 }, (_, at) => (at * Math.PI) / 45).flatMap((angle) => [
      left + radius * Math.cos(angle),
      posterior + radius * Math.sin(angle),
      height,
    ]),
  ),
  references: [],
});

/** Sphere of 20 mm around the origin, in contours that are 2 mm apart. */
const sphere = Array.from({ length: 19 }, (_, at) => 2 * at - 18).map((height) =>
  circle(height, Math.sqrt(400 - height ** 2)),
);

type Point = readonly [x: number, y: number];

const polygonsOf = (path: string): Point[][] =>
  path
    .split('M')
    .slice(1)
    .map((part) =>
      part
        .replace('Z', '')
        .split('L')
        .map((point): Point => {
          const [x = 0, y = 0] = point.split(' ').map(Number);
          return [x, y];
        }),
    );

const isIn = ([x, y]: Point, polygon: readonly Point[]): boolean => {
  let isInside = false;
  for (const [index, [x1, y1]] of polygon.entries()) {
    const [x2, y2] = polygon[(index + 1) % polygon.length] ?? [x1, y1];
    if (y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) isInside = !isInside;
  }
  return isInside;
};

/** Whether the sample at a place in mm from the middle of the plane is in the area of a section. */
const covers = (contours: readonly Contour[], slice: Slice, across: number, down: number): boolean => {
  const polygons = polygonsOf(sectionOf(contours, slice).areas.join(''));
  const at: Point = [100.5 + 2 * across, 100.5 + 2 * down];
  return polygons.filter((polygon) => isIn(at, polygon)).length % 2 === 1;
};

/** Returns the number of samples of 1 mm² in the area of a section, in mm². */
const areaOf = (contours: readonly Contour[], slice: Slice): number => {
  const polygons = polygonsOf(sectionOf(contours, slice).areas.join(''));
  let area = 0;
  for (let y = -45; y <= 45; y += 1) {
    for (let x = -45; x <= 45; x += 1) {
      const at: Point = [100.5 + 2 * x + 0.013, 100.5 + 2 * y + 0.017];
      if (polygons.filter((polygon) => isIn(at, polygon)).length % 2 === 1) area += 1;
    }
  }
  return area;
};

test.each([
  ['axial', axial()],
  ['coronal', coronal()],
  ['sagittal', sagittal()],
  ['oblique', oblique()],
])('the %s section through the middle of a sphere is a disk of its radius', (_, slice) => {
  expect(Math.abs(areaOf(sphere, slice) / (Math.PI * 400) - 1)).toBeLessThan(0.03);
  expect(covers(sphere, slice, 17, 0.1)).toBe(true);
  expect(covers(sphere, slice, 0.1, 17)).toBe(true);
  expect(covers(sphere, slice, 15.5, 15.5)).toBe(false);
});

test('a coronal section beside the middle of a sphere is smaller, and there is none outside it', () => {
  expect(Math.abs(areaOf(sphere, coronal(12)) / (Math.PI * 256) - 1)).toBeLessThan(0.04);
  expect(sectionOf(sphere, coronal(21))).toEqual({ areas: [], outline: '' });
});

test('a plane between two contours shows the nearer, and a plane beyond the last shows none', () => {
  expect(covers(sphere, axial(17.2), 8, 0)).toBe(true);
  expect(sectionOf(sphere, axial(17.2)).areas).toEqual(sectionOf(sphere, axial(18)).areas);
  expect(sectionOf(sphere, axial(19.2)).areas).toEqual([]);
});

test('a hole stays empty in a section across its contours', () => {
  const tube = [0, 2, 4].flatMap((height) => [circle(height, 30), circle(height, 10)]);

  expect(covers(tube, coronal(), 20, -2)).toBe(true);
  expect(covers(tube, coronal(), 5, -2)).toBe(false);
});

test('a region that pauses for several contours has a gap', () => {
  const parts = [0, 2, 4, 20, 22].map((height) => circle(height, 15));

  expect(covers(parts, coronal(), 1, -4.5)).toBe(true);
  expect(covers(parts, coronal(), 1, -12)).toBe(false);
  expect(covers(parts, coronal(), 1, -19.5)).toBe(true);
});

test.each([
  ['between the only contour of one place and two others', [0, 50, 52]],
  ['between two pairs of contours', [0, 2, 50, 52]],
])('a gap %s stays empty', (_, heights) => {
  const parts = heights.map((height) => circle(height, 15));

  expect(covers(parts, coronal(), 1, -0.9)).toBe(true);
  expect(covers(parts, coronal(), 1, 1.2)).toBe(false);
  expect(covers(parts, coronal(), 1, -25)).toBe(false);
  expect(covers(parts, coronal(), 1, -48.8)).toBe(false);
  expect(sectionOf(parts, axial(25)).areas).toEqual([]);
});

test('the outline of a section has no lines between contours of the same shape', () => {
  const cylinder = [0, 2, 4].map((height) => circle(height, 15));

  const lines = polygonsOf(sectionOf(cylinder, coronal()).outline);

  // Two sides of three contours, the lower and the upper end.
  expect(lines).toHaveLength(8);
});

test('a small region is cut like a large one', () => {
  const small = [-2, 0, 2].map((height) => circle(height, 3));

  expect(covers(small, coronal(), 2, -2.5)).toBe(true);
  expect(covers(small, coronal(), 2, -3.5)).toBe(false);
  expect(sectionOf(small, coronal(4)).areas).toEqual([]);
});

test('a point is marked only on planes through it', () => {
  const points: Contour[] = [{ kind: 'point', isExclusive: false, points: Float64Array.of(3, 0, 0), references: [] }];

  expect(polygonsOf(sectionOf(points, coronal()).outline)[0]?.[0]).toEqual([102.5, 100.5]);
  expect(sectionOf(points, coronal(2)).outline).toBe('');
});
