import { dirname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import vtkImageData from '@kitware/vtk.js/Common/DataModel/ImageData.js';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { expect, test } from 'vitest';
import { cross, planeOf, type Vector } from '#reading/viewer/images/geometry/image-plane.ts';
import { fittedPlace } from '#reading/viewer/images/gray/gray-picture.ts';
import { tag } from '#reading/viewer/images/header/dicom-json.ts';
import { firstPlaneOf } from './first-plane-view.ts';

const of = (...values: unknown[]) => ({ vr: 'UN', Value: values });

const study = { patient: { patientId: 'P1' }, identity: null } as unknown as StudyDetails;

const [rows, columns, spacing, step] = [40, 60, 0.5, 3];

const directions = {
  axial: [1, 0, 0, 0, 1, 0],
  sagittal: [0, 1, 0, 0, 0, -1],
  coronal: [1, 0, 0, 0, 0, -1],
} as const;

const normalIn = (directionsOfImage: readonly number[]): Vector => {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = directionsOfImage;
  return cross([a, b, c], [d, e, f]);
};

/** Slices with even spacing along their normal, the last first. */
const slices = (count: number, directionsOfImage: readonly number[], changes: object = {}, shift: Vector = [0, 0, 0]) =>
  Array.from({ length: count }, (_, index) => {
    const depth = (count - 1 - index) * step;
    const normal = normalIn(directionsOfImage);
    const header = {
      [tag.AvailableTransferSyntaxUID]: of('1.2.840.10008.1.2.1'),
      [tag.SamplesPerPixel]: of(1),
      [tag.PhotometricInterpretation]: of('MONOCHROME2'),
      [tag.Rows]: of(rows),
      [tag.Columns]: of(columns),
      [tag.BitsAllocated]: of(16),
      [tag.BitsStored]: of(16),
      [tag.HighBit]: of(15),
      [tag.PixelRepresentation]: of(1),
      [tag.WindowCenter]: of(40),
      [tag.WindowWidth]: of(400),
      [tag.PixelSpacing]: of(spacing, spacing),
      [tag.FrameOfReferenceUID]: of('2.25.4'),
      [tag.PatientID]: of('P1'),
      [tag.ImageOrientationPatient]: of(...directionsOfImage),
      [tag.ImagePositionPatient]: of(...normal.map((part, axis) => part * depth + (shift[axis] ?? 0) * depth)),
      ...changes,
    };
    const number = count - index;
    return {
      imageId: `${number}`,
      header,
      frame: 1,
      numberOfFrames: 1,
      instanceNumber: number,
      plane: planeOf(header, 1),
    };
  });

type Basis = { sliceCenterWorld: number[]; fitParallelScale: number; viewUp: number[]; viewPlaneNormal: number[] };
type BasisModule = { createPlanarVolumeSliceBasis: (args: object) => { sliceBasis: Basis } };

/** The camera of the imaging library, which it does not export. */
const cameraOf = async (
  orientation: keyof typeof directions,
  count: number,
  screen: { width: number; height: number },
) => {
  const library = dirname(fileURLToPath(import.meta.resolve('@cornerstonejs/core')));
  const file = resolve(library, 'RenderingEngine/GenericViewport/Planar/planarSliceBasis.js');
  const { createPlanarVolumeSliceBasis } = (await import(pathToFileURL(file).href)) as BasisModule;
  const direction = [...directions[orientation], ...normalIn(directions[orientation])];
  const volume = { dimensions: [columns, rows, count], spacing: [spacing, spacing, step], direction };
  const imageData = vtkImageData.newInstance();
  imageData.setDimensions(columns, rows, count);
  imageData.setSpacing([spacing, spacing, step]);
  imageData.setDirection(direction as never);
  const { sliceBasis } = createPlanarVolumeSliceBasis({
    canvasWidth: screen.width,
    canvasHeight: screen.height,
    imageVolume: { ...volume, imageData },
    orientation,
  });
  return sliceBasis;
};

const dot = (one: readonly number[], other: readonly number[]) =>
  one.reduce((sum, part, axis) => sum + part * (other[axis] ?? 0), 0);

test.each([
  ['axial', 5],
  ['sagittal', 6],
  ['coronal', 7],
] as const)('the middle slice lies where the imaging library draws it: %s, %i slices', async (orientation, count) => {
  const first = firstPlaneOf(study, slices(count, directions[orientation]));
  if (!first) throw new Error('There is no first plane');
  const { position, along, down } = first.plane;

  expect(first.orientation).toBe(orientation);
  expect(first.range).toEqual({ lower: -160, upper: 239 });
  for (const screen of [
    { width: 500, height: 300 },
    { width: 300, height: 500 },
  ]) {
    const { sliceCenterWorld, fitParallelScale, viewUp, viewPlaneNormal } = await cameraOf(orientation, count, screen);
    const scale = screen.height / 2 / fitParallelScale;
    const right = cross(viewUp as unknown as Vector, viewPlaneNormal as unknown as Vector);
    const away = position.map((part, axis) => part - (sliceCenterWorld[axis] ?? 0));
    const { left, top, magnification } = fittedPlace(first.gray, screen);

    expect(dot(away, viewPlaneNormal)).toBeCloseTo(0);
    expect([dot(along, right), dot(down, viewUp)]).toEqual([1, -1]);
    expect(magnification).toBeCloseTo(spacing * scale);
    expect(left + magnification / 2).toBeCloseTo(screen.width / 2 + dot(away, right) * scale);
    expect(top + magnification / 2).toBeCloseTo(screen.height / 2 - dot(away, viewUp) * scale);
  }
});

test('only the library draws oblique, mirrored and colored slices, and slices of a tilted gantry', () => {
  const tilt = Math.sin(0.1);

  expect(firstPlaneOf(study, slices(5, [1, 0, 0, 0, Math.cos(0.1), tilt]))).toBeUndefined();
  expect(firstPlaneOf(study, slices(5, [-1, 0, 0, 0, -1, 0]))).toBeUndefined();
  expect(firstPlaneOf(study, slices(5, directions.axial, { [tag.SamplesPerPixel]: of(3) }))).toBeUndefined();
  expect(firstPlaneOf(study, slices(5, directions.axial, {}, [0, tilt, 0]))).toBeUndefined();
});

test('a notice that moves the planes leaves no first plane', () => {
  expect(firstPlaneOf(study, slices(5, directions.axial, { [tag.PatientID]: of('P2') }))).toBeUndefined();
});
