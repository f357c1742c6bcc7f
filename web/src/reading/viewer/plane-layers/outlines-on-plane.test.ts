import { expect, test } from 'vitest';
import { planeOf, type Vector } from '#reading/viewer/images/geometry/image-plane.ts';
import type { Slice } from '#reading/viewer/images/geometry/slice.ts';
import { tag } from '#reading/viewer/images/header/dicom-json.ts';
import { mergedImages } from '#reading/viewer/presentation-states/read-references.ts';
import type { ReportOutline } from '#reading/viewer/report-outlines/read-outlines.ts';
import { byInstance, outlinesOnPlane } from './outlines-on-plane.ts';

const of = (vr: string, ...Value: unknown[]) => ({ vr, Value });

/** Axial image of 2 mm, whose first pixel is at 10, 20 and its height. */
const image = (height: number) => {
  const header = {
    [tag.SOPInstanceUID]: of('UI', `1.${height}`),
    [tag.FrameOfReferenceUID]: of('UI', '1.9'),
    [tag.ImagePositionPatient]: of('DS', 10, 20, height),
    [tag.ImageOrientationPatient]: of('DS', 1, 0, 0, 0, 1, 0),
    [tag.PixelSpacing]: of('DS', 2, 2),
    [tag.SliceThickness]: of('DS', 2),
    [tag.Rows]: of('US', 64),
    [tag.Columns]: of('US', 64),
  };
  const numbers = { frame: 1, numberOfFrames: 1, instanceNumber: 1 };
  return { imageId: `wadors:${height}`, header, ...numbers, plane: planeOf(header, 1) };
};

const volume = byInstance([image(0), image(2), image(4)]);

const plane = (position: Vector, along: Vector, down: Vector): Slice => ({
  position,
  along,
  down,
  rows: 300,
  columns: 300,
  rowSpacing: 0.5,
  columnSpacing: 0.5,
  frameOfReference: '1.9',
});

const axial = (height: number) => plane([0, 0, height], [1, 0, 0], [0, 1, 0]);
const coronal = (posterior: number) => plane([0, posterior, 10], [1, 0, 0], [0, 0, -1]);

const circle: ReportOutline = {
  type: 'CIRCLE',
  words: ['Nodule 1'],
  images: mergedImages([[['1.2', []]]]),
  points: [
    { x: 5.5, y: 3.5 },
    { x: 7.5, y: 3.5 },
  ],
};

const polygon: ReportOutline = {
  type: 'POLYGON',
  words: [],
  frameOfReference: '1.9',
  places: [
    [10, 30, 0],
    [20, 30, 4],
    [20, 30, 0],
  ],
};

const pointsOn = (slice: Slice, outline: ReportOutline, reach?: number) =>
  outlinesOnPlane(slice, volume, [outline], reach).map(({ graphic }) => graphic.points.map(({ x, y }) => [x, y]));

test('an outline on an image of the volume lies at its place in a plane through that image', () => {
  // Column 5 and row 3 of the image are at 20 and 26 mm.
  expect(pointsOn(axial(2), circle)).toEqual([
    [
      [40.5, 52.5],
      [48.5, 52.5],
    ],
  ]);
  expect(pointsOn(axial(2.9), circle)).toHaveLength(1);
  expect(pointsOn(axial(4), circle)).toEqual([]);
  expect(pointsOn(coronal(26), circle)).toEqual([]);
});

test('a slab shows an outline within its thickness', () => {
  expect(pointsOn(axial(4), circle, 3)).toHaveLength(1);
});

test('an outline in the patient lies only in planes that hold all its points', () => {
  expect(pointsOn(coronal(30), polygon)).toEqual([
    [
      [20.5, 20.5],
      [40.5, 12.5],
      [40.5, 20.5],
      [20.5, 20.5],
    ],
  ]);
  expect(pointsOn(coronal(32), polygon)).toEqual([]);
  expect(pointsOn(axial(0), polygon)).toEqual([]);
});

test('an outline of another frame of reference is not drawn', () => {
  expect(pointsOn({ ...coronal(30), frameOfReference: '1.8' }, polygon)).toEqual([]);
});
