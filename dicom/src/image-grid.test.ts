import type { DicomJson } from './dataset.ts';
import { tagOf } from './dictionary.ts';
import { expect, test } from 'vitest';
import { drawnSpacing, imageGrid, onGrid } from './image-grid.ts';

const header = (elements: Record<string, readonly (string | number | DicomJson)[]>): DicomJson =>
  Object.fromEntries(
    Object.entries(elements).map(([keyword, values]) => [tagOf(keyword), { vr: 'UN', Value: [...values] }]),
  );

const size = { Columns: [100], Rows: [80] };
const sagittal = { ImagePositionPatient: [-30, -50, 200], ImageOrientationPatient: [0, 1, 0, 0, 0, -1] };

test('the center of the first pixel is half a column and half a row from the image corner', () => {
  const grid = imageGrid(header({ ...size, ...sagittal, PixelSpacing: [2, 0.5] }), 1);

  expect(onGrid([[-30, -50, 200]], grid)).toEqual([[0.5, 0.5]]);
});

test('columns use the second value of the pixel spacing, and rows the first', () => {
  const grid = imageGrid(header({ ...size, ...sagittal, PixelSpacing: [2, 0.5] }), 1);

  expect(onGrid([[-30, -45, 190]], grid)).toEqual([[10.5, 5.5]]);
});

test.each([
  ['in front of the image plane', [-29.9, -50, 200]],
  ['left of the first column', [-30, -50.6, 200]],
  ['below the last row', [-30, -50, 200 - 2 * 80.1]],
] as const)('a point %s is not on the image', (_, point) => {
  const grid = imageGrid(header({ ...size, ...sagittal, PixelSpacing: [2, 0.5] }), 1);

  expect(onGrid([[-30, -50, 200], point], grid)).toBeUndefined();
});

test('each frame of an enhanced image has its own position', () => {
  const frameAt = (superior: number) =>
    header({ PlanePositionSequence: [header({ ImagePositionPatient: [0, 0, superior] })] });
  const shared = header({
    PlaneOrientationSequence: [header({ ImageOrientationPatient: [1, 0, 0, 0, 1, 0] })],
    PixelMeasuresSequence: [header({ PixelSpacing: [2, 2] })],
  });
  const image = header({
    ...size,
    NumberOfFrames: [2],
    SharedFunctionalGroupsSequence: [shared],
    PerFrameFunctionalGroupsSequence: [frameAt(0), frameAt(7)],
  });

  expect(onGrid([[20, 10, 7]], imageGrid(image, 2))).toEqual([[10.5, 5.5]]);
  expect(onGrid([[20, 10, 7]], imageGrid(image, 1))).toBeUndefined();
});

test.each([
  ['1', { NumberOfFrames: [1] }],
  ['missing', {}],
])('an enhanced image with one frame has a position if its number of frames is %s', (_, numberOfFrames) => {
  const image = header({
    ...size,
    ...numberOfFrames,
    SharedFunctionalGroupsSequence: [
      header({
        PlaneOrientationSequence: [header({ ImageOrientationPatient: [-1, 0, 0, 0, 0, -1] })],
        PixelMeasuresSequence: [header({ PixelSpacing: [2, 0.5] })],
      }),
    ],
    PerFrameFunctionalGroupsSequence: [
      header({ PlanePositionSequence: [header({ ImagePositionPatient: [30, -50, 200] })] }),
    ],
  });

  expect(onGrid([[25, -50, 190]], imageGrid(image, 1))).toEqual([[10.5, 5.5]]);
});

test('an image without a position begins at its first pixel, as in the viewer', () => {
  expect(onGrid([[20, 10, 0]], imageGrid(header(size), 1))).toEqual([[20.5, 10.5]]);
  expect(onGrid([[20, 10, 0]], imageGrid(header({ ...size, PixelSpacing: [0.5, 2] }), 1))).toEqual([[10.5, 20.5]]);
});

const axial = { ImageOrientationPatient: [1, 0, 0, 0, 1, 0] };
const tomography = {
  ...size,
  NumberOfFrames: [40],
  PixelSpacing: [4, 4],
  SpacingBetweenSlices: [-4],
  DetectorInformationSequence: [header({ ...axial, ImagePositionPatient: [-200, -180, 60] })],
};

test.each([
  ['a tomography placed by its detector, with a negative spacing', tomography, 16, [-180, -160, 0]],
  [
    'a dose with offsets from its first frame',
    {
      ...size,
      ...axial,
      ImagePositionPatient: [-200, -180, 60],
      NumberOfFrames: [3],
      PixelSpacing: [4, 4],
      GridFrameOffsetVector: [0, 5, 10],
    },
    3,
    [-180, -160, 70],
  ],
  [
    'a dose with the height of each frame',
    {
      ...size,
      ...axial,
      ImagePositionPatient: [-200, -180, 60],
      NumberOfFrames: [3],
      PixelSpacing: [4, 4],
      GridFrameOffsetVector: [60, 65, 70],
    },
    3,
    [-180, -160, 70],
  ],
  [
    'a multi-frame image whose functional groups have no positions',
    {
      ...size,
      NumberOfFrames: [3],
      SharedFunctionalGroupsSequence: [header({ PixelMeasuresSequence: [header({ PixelSpacing: [4, 4] })] })],
    },
    3,
    [20, 20, 3],
  ],
] as const)('a frame has the same position as in the viewer: %s', (_, elements, frame, point) => {
  const [x, y, z] = point;

  expect(onGrid([[x, y, z]], imageGrid(header(elements), frame))).toEqual([[5.5, 5.5]]);
});

const radiograph = { ...size, SOPClassUID: ['1.2.840.10008.5.1.4.1.1.1.1'], ImagerPixelSpacing: [0.2, 0.2] };

test.each([
  ['measured at the detector if the magnification is unknown', {}, 0.2],
  ['smaller by the estimated magnification', { EstimatedRadiographicMagnificationFactor: [1.25] }, 0.16],
  [
    'smaller by the distances from the X-ray source',
    { DistanceSourceToDetector: [1800], DistanceSourceToPatient: [1440] },
    0.16,
  ],
  [
    'measured at the detector if the distance of the patient is 0',
    { DistanceSourceToDetector: [1800], DistanceSourceToPatient: [0] },
    0.2,
  ],
  [
    'smaller by the distance of the skin if that of the patient is 0',
    { DistanceSourceToDetector: [1800], DistanceSourceToPatient: [0], DistanceSourceToEntrance: [1440] },
    0.16,
  ],
  ['measured at the detector if the size in the patient is 0', { PixelSpacing: [0, 0] }, 0.2],
  [
    'measured in the patient if the size at the detector is 0',
    { ImagerPixelSpacing: [0, 0], PixelSpacing: [0.15, 0.15] },
    0.15,
  ],
  [
    'calibrated by an object of known size',
    { PixelSpacing: [0.1, 0.1], PixelSpacingCalibrationType: ['FIDUCIAL'] },
    0.1,
  ],
])('the pixel size of a radiograph is computed: the pixels are %s', (_, more, spacing) => {
  expect(imageGrid(header({ ...radiograph, ...more }), 1).columnSpacing).toBeCloseTo(spacing, 12);
});

test.each([
  ['their spacing', { PixelSpacing: [2, 0.5], PixelAspectRatio: ['1', '3'] }, { rowSpacing: 2, columnSpacing: 0.5 }],
  ['their aspect ratio without a spacing', { PixelAspectRatio: ['3', '2'] }, { rowSpacing: 1.5, columnSpacing: 1 }],
  ['squares without both', {}, { rowSpacing: 1, columnSpacing: 1 }],
])('pixels are drawn with %s', (_, elements, spacing) => {
  expect(drawnSpacing(header({ ...size, ...elements }), 1)).toEqual(spacing);
});
