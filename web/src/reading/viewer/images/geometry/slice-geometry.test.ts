import { mrTruth, pixelOf, type Plane } from '@radwork/phantom/known-values';
import { expect, test } from 'vitest';
import { tag } from '#reading/viewer/images/header/dicom-json.ts';
import { firstImageNextTo, linkOf, offsetBetween, sliceNearest } from './linked-slices.ts';
import { crossingLine } from './reference-line.ts';
import { pixelAt, pointAt, type Slice, sliceOf } from './slice.ts';

const sliceFrom = ({ pixelSpacing, ...plane }: Plane, frameOfReference = '1.2.3'): Slice => ({
  ...plane,
  rowSpacing: pixelSpacing,
  columnSpacing: pixelSpacing,
  frameOfReference,
});

const stackOf = (description: string, options: { slices?: number; size?: number } = {}, frame?: string): Slice[] => {
  const series = mrTruth.series.find((one) => one.description === description);
  if (!series) throw new Error(`The phantom has no series ${description}`);
  return series.planes(options).map((plane) => sliceFrom(plane, frame));
};

const sagittal = stackOf('T1 sagittal');
const axial = stackOf('T2 axial');
const coronal = stackOf('FLAIR coronal');
const at = (stack: readonly Slice[], index: number): Slice => {
  const slice = stack[index];
  if (!slice) throw new Error(`There is no slice ${index}`);
  return slice;
};

/** Rotates a slice around the left-right axis. */
const nodding = (slice: Slice, degrees: number): Slice => {
  const [sine, cosine] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)];
  return { ...slice, along: [1, 0, 0], down: [0, cosine, sine] };
};

test('pixels and patient coordinates convert into each other with different row and column spacing', () => {
  const slice = { ...at(axial, 3), rowSpacing: 0.5, columnSpacing: 2 };

  const pixel = pixelAt(slice, pointAt(slice, { row: 12.5, column: 40 }));

  expect(pixel.row).toBeCloseTo(12.5, 9);
  expect(pixel.column).toBeCloseTo(40, 9);
});

test('pixel spacing is read as row spacing first and column spacing second', () => {
  const header = {
    [tag.Rows]: { vr: 'US', Value: [10] },
    [tag.Columns]: { vr: 'US', Value: [20] },
    [tag.PixelSpacing]: { vr: 'DS', Value: [0.5, 2] },
  };
  const plane = { position: [0, 0, 0], along: [1, 0, 0], down: [0, 1, 0] } as const;

  expect(sliceOf({ header, frame: 1, plane })).toMatchObject({
    rowSpacing: 0.5,
    columnSpacing: 2,
    frameOfReference: '',
  });
  expect(sliceOf({ header: { ...header, [tag.PixelSpacing]: { vr: 'DS' } }, frame: 1, plane })).toBeUndefined();
  expect(sliceOf({ header, frame: 1, plane: undefined })).toBeUndefined();
});

test('linked stacks of different slice thickness show the nearest slices', () => {
  const thin = stackOf('T2 axial', { slices: 60 });

  for (const leader of axial) {
    const nearest = sliceNearest(leader, thin, 0);
    const depths = thin.map(({ position }) => Math.abs(position[2] - leader.position[2]));
    expect(nearest?.away).toBeCloseTo(Math.min(...depths), 9);
    expect(depths[nearest?.index ?? -1]).toBeCloseTo(Math.min(...depths), 9);
  }
});

test('beyond the end of a linked stack, the last slice is shown, and the distance to it is known', () => {
  const high = { ...at(axial, 0), position: [-128, -128, 500] as const };

  const nearest = sliceNearest(high, axial, 0);

  expect(nearest?.index).toBe(axial.length - 1);
  expect(nearest?.away).toBeCloseTo(500 - at(axial, axial.length - 1).position[2], 6);
});

test('a linked stack keeps its phase if several phases share a position', () => {
  const phases = [...axial, ...axial, ...axial];
  const inSecond = axial.length + 2;

  expect(sliceNearest(at(axial, 5), phases, inSecond)?.index).toBe(axial.length + 5);
});

test('only parallel slices are linked, with a tolerance of a few degrees', () => {
  expect(linkOf(at(sagittal, 4), axial)).toBeUndefined();
  expect(sliceNearest(at(sagittal, 4), axial, 0)).toBeUndefined();
  expect(linkOf(nodding(at(axial, 4), 8), axial)).toBe('position');
  expect(linkOf(nodding(at(axial, 4), 12), axial)).toBeUndefined();
  expect(linkOf(at(axial, 4), [undefined])).toBeUndefined();
});

test('stacks without a common frame of reference are linked by offset', () => {
  expect(linkOf(at(axial, 4), stackOf('T2 axial', {}, '9.9'))).toBe('offset');
  expect(linkOf(at(stackOf('T2 axial', {}, ''), 4), stackOf('T2 axial', {}, ''))).toBe('offset');
});

test('in stacks linked by offset, a step moves both by the same number of mm, whatever their directions', () => {
  const prior = stackOf('T2 axial', { slices: 48 }, '9.9').toReversed();
  const turned = prior.map((slice) => ({ ...slice, along: [-1, 0, 0] as const }));
  const offset = offsetBetween(at(axial, 10), at(turned, 7));

  const nearest = sliceNearest(at(axial, 12), turned, 7, offset);

  expect(at(turned, nearest?.index ?? -1).position[2] - at(turned, 7).position[2]).toBeCloseTo(
    at(axial, 12).position[2] - at(axial, 10).position[2],
    6,
  );
});

test('a prior opens at the same relative position, whatever its slice direction', () => {
  const prior = stackOf('T2 axial', { slices: 48 }, '9.9')
    .toReversed()
    .map((slice) => ({ ...slice, position: [slice.position[0], slice.position[1], slice.position[2] + 300] as const }));

  expect(firstImageNextTo(axial, 0, prior)).toBe(47);
  expect(firstImageNextTo(axial, 23, prior)).toBe(0);
  expect(Math.abs(firstImageNextTo(axial, 6, prior) - 35)).toBeLessThanOrEqual(1);
  expect(firstImageNextTo(axial, 6, stackOf('T2 axial', { slices: 48 }))).toBeCloseTo(12, -1);
  expect(firstImageNextTo(axial, 6, sagittal)).toBe(0);
});

test.each([
  ['axial on sagittal', axial, sagittal],
  ['axial on coronal', axial, coronal],
  ['sagittal on axial', sagittal, axial],
  ['coronal on sagittal', coronal, sagittal],
])('a reference line lies where two planes meet: %s', (_, sources, targets) => {
  const [source, target] = [at(sources, 5), at(targets, 9)];

  const line = crossingLine(source, target);

  expect(line).toBeDefined();
  const plane = { ...source, pixelSpacing: source.rowSpacing };
  for (const end of line ?? []) {
    expect(pixelOf(pointAt(target, end), plane).distance).toBeCloseTo(0, 6);
    expect(end.row).toBeGreaterThanOrEqual(-0.5);
    expect(end.row).toBeLessThanOrEqual(target.rows - 0.5);
    expect(end.column).toBeGreaterThanOrEqual(-0.5);
    expect(end.column).toBeLessThanOrEqual(target.columns - 0.5);
  }
  const [first, second] = line ?? [];
  expect(Math.hypot((first?.row ?? 0) - (second?.row ?? 0), (first?.column ?? 0) - (second?.column ?? 0))).toBeCloseTo(
    192,
    6,
  );
});

test('a reference line is no longer than the slice that it shows', () => {
  const small = { ...at(axial, 12), rows: 20, columns: 20, position: [-10, -16, at(axial, 12).position[2]] as const };

  const [start, end] = crossingLine(small, at(sagittal, 12)) ?? [];

  const millimetres = Math.abs((end?.column ?? 0) - (start?.column ?? 0)) * at(sagittal, 12).columnSpacing;
  expect(millimetres).toBeCloseTo(20 * small.rowSpacing, 6);
});

test('planes that are parallel, do not cross or have different frames of reference have no reference line', () => {
  expect(crossingLine(at(axial, 5), at(stackOf('T1 sagittal', {}, '9.9'), 5))).toBeUndefined();
  expect(crossingLine(at(stackOf('T2 axial', {}, ''), 5), at(stackOf('T1 sagittal', {}, ''), 5))).toBeUndefined();
  expect(crossingLine(at(axial, 5), at(axial, 6))).toBeUndefined();
  expect(crossingLine({ ...at(axial, 5), position: [-128, -134, 900] }, at(sagittal, 5))).toBeUndefined();
});
