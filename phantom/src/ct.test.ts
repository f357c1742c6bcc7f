import { itemsOf, numberOf, textOf, valuesOf } from '@radwork/dicom/dataset';
import { expect, test } from 'vitest';
import { pixelOf, type Point } from './geometry.ts';
import { openImage, planeOf, type ImageFile } from './image-file.ts';
import { patients } from './patients.ts';
import { ctVolume, type StudyOptions } from './studies.ts';
import { ctTruth, sliceThrough } from './known-values.ts';

const options: StudyOptions = {
  seed: 'ct',
  patient: patients[0],
  studyDate: '20261110',
  studyTime: '101500',
  accessionNumber: 'ACC-7',
  slices: 60,
};
const open = (studyOptions: StudyOptions): ImageFile[] =>
  [...ctVolume(studyOptions)].map(({ bytes }) => openImage(bytes));
const volume = open(options);

/** The HU value at a point of the patient. The point is located only by the elements of the files. */
const measuredAt = (point: Point, images: readonly ImageFile[] = volume): number | undefined => {
  const planes = images.map(({ dataset }) => planeOf(dataset));
  const index = sliceThrough(point, planes);
  const [image, plane] = [images[index], planes[index]];
  if (!image || !plane) return undefined;
  const { row, column } = pixelOf(point, plane);
  return image.valueAt(row, column);
};

test.each(ctTruth.spheres)('the center of the $name in the CT has $hounsfield HU', ({ centre, hounsfield }) => {
  expect(measuredAt(centre)).toBe(hounsfield);
  expect(ctTruth.hounsfieldAt(...centre)).toBe(hounsfield);
});

test.each(ctTruth.spheres)(
  'the $name in the CT is not mirrored',
  ({ centre: [left, posterior, superior], hounsfield }) => {
    expect(measuredAt([-left, posterior, superior])).not.toBe(hounsfield);
  },
);

test('a sphere in the CT has its known width', () => {
  const cyst = ctTruth.spheres.find(({ name }) => name === 'liver cyst');
  const [left, posterior, superior] = cyst?.centre ?? [0, 0, 0];
  const edge = posterior + (cyst?.radius ?? 0);

  expect(measuredAt([left, edge - 4, superior])).toBe(cyst?.hounsfield);
  expect(measuredAt([left, edge + 4, superior])).toBeGreaterThan(ctTruth.tissues.liver - 50);
});

test('the measuring ball in the CT has a diameter of 50 mm in every direction', () => {
  const { centre, radius, hounsfield } = ctTruth.measuringBall;
  const at = (axis: number, way: number): Point => {
    const [left, posterior, superior] = centre.map((part, index) => (index === axis ? part + way : part));
    return [left ?? 0, posterior ?? 0, superior ?? 0];
  };

  expect(2 * radius).toBe(50);
  expect(measuredAt(centre)).toBe(hounsfield);
  for (const axis of [0, 1, 2]) {
    // Tolerance of two pixels, or one slice, on each side of the surface.
    for (const way of [-1, 1]) {
      expect(measuredAt(at(axis, way * (radius - 4)))).toBe(hounsfield);
      expect(measuredAt(at(axis, way * (radius + 4)))).toBeLessThan(ctTruth.tissues.air + 100);
    }
  }
});

test('the marker rod lies on the right breast in every slice', () => {
  const values = ctTruth.rods.flatMap(({ centre: [left, posterior] }) =>
    ctTruth.planes(options).map(({ position: [, , superior] }) => measuredAt([left, posterior, superior])),
  );

  expect(new Set(values)).toEqual(new Set([ctTruth.rods[0]?.hounsfield]));
});

test('CT images are ordered from head to feet and lie on the known planes', () => {
  const planes = volume.map(({ dataset }) => planeOf(dataset));

  const heights = planes.map(({ position: [, , superior] }) => superior);
  expect(heights).toEqual(heights.toSorted((one, other) => other - one));
  expect(volume.map(({ dataset }) => numberOf(dataset, 'InstanceNumber'))).toEqual(volume.map((_, index) => index + 1));
  planes.forEach((plane, index) => {
    const truth = ctTruth.planes(options)[index];
    expect(plane.position[2]).toBeCloseTo(truth?.position[2] ?? NaN, 6);
    expect(plane.pixelSpacing).toBe(truth?.pixelSpacing);
  });
});

test('a CT with any number of slices and pixels shows the same body', () => {
  const fine = open({ ...options, slices: 30, size: 512 });

  expect(fine).toHaveLength(30);
  expect(numberOf(fine[0]?.dataset ?? {}, 'Rows')).toBe(512);
  for (const { centre, hounsfield } of ctTruth.spheres) expect(measuredAt(centre, fine)).toBe(hounsfield);
});

test('a CT file contains the order, device and dose that the study page shows', () => {
  const dataset = volume[0]?.dataset ?? {};

  expect(textOf(dataset, 'PatientName')).toBe('Yamada^Tarō');
  expect(textOf(dataset, 'StudyDescription')).toBe('CT Chest');
  expect(textOf(dataset, 'RequestedProcedureDescription')).toBe('CT Chest');
  expect(textOf(dataset, 'PlacerOrderNumberImagingServiceRequest')).toBe('P-ACC-7');
  expect(textOf(dataset, 'RequestingPhysician')).toBe('Moreau^Claire^^Dr');
  expect(textOf(dataset, 'OperatorsName')).toBe('Lindqvist^Karin');
  expect(textOf(dataset, 'ScheduledProcedureStepStartTime')).toBe('100000');
  expect(itemsOf(dataset, 'RequestedProcedureCodeSequence').map((item) => textOf(item, 'CodeValue'))).toEqual([
    '24627-2',
  ]);
  expect(textOf(dataset, 'StationName')).toBe('CT1');
  expect(numberOf(dataset, 'CTDIvol')).toBe(ctTruth.dose.ctdiVol);
  expect(valuesOf(dataset, 'WindowCenter')).toEqual([40, -600]);
});
