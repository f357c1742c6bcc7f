import { itemsOf, numberOf, textOf, type DicomJson } from '@radwork/dicom/dataset';
import { expect, test } from 'vitest';
import { pixelOf, type Point } from './geometry.ts';
import { openImage, planeOf } from './image-file.ts';
import { patients } from './patients.ts';
import { petCt } from './studies.ts';
import { ctTruth, petTruth, sliceThrough } from './known-values.ts';

const files = [
  ...petCt({
    seed: 'pet',
    patient: patients[1],
    studyDate: '20261110',
    accessionNumber: 'ACC-8',
    slices: 48,
    size: 128,
  }),
];
const imagesIn = (folder: string) =>
  files.filter(({ name }) => name.startsWith(folder)).map(({ bytes }) => openImage(bytes));
const ct = imagesIn('CT/');
const pet = imagesIn('PT/');

const secondsOf = (time = ''): number =>
  Number(time.slice(0, 2)) * 3600 + Number(time.slice(2, 4)) * 60 + Number(time.slice(4, 6));

/** Grams of body weight for each Bq remaining at the start of the series: the SUV for 1 Bq/ml. */
const suvFactor = (dataset: DicomJson): number => {
  const [radiopharmaceutical = {}] = itemsOf(dataset, 'RadiopharmaceuticalInformationSequence');
  const elapsed =
    secondsOf(textOf(dataset, 'SeriesTime')) - secondsOf(textOf(radiopharmaceutical, 'RadiopharmaceuticalStartTime'));
  const halfLife = numberOf(radiopharmaceutical, 'RadionuclideHalfLife') ?? NaN;
  const remainingDose = (numberOf(radiopharmaceutical, 'RadionuclideTotalDose') ?? NaN) * 2 ** (-elapsed / halfLife);
  return ((numberOf(dataset, 'PatientWeight') ?? NaN) * 1000) / remainingDose;
};

const suvAt = (point: Point): number => {
  const planes = pet.map(({ dataset }) => planeOf(dataset));
  const index = sliceThrough(point, planes);
  const [image, plane] = [pet[index], planes[index]];
  if (!image || !plane) return NaN;
  const { row, column } = pixelOf(point, plane);
  return image.valueAt(row, column) * suvFactor(image.dataset);
};

test.each(petTruth.spheres)('the $name in the PET has SUV $suv by the attributes of its file', ({ centre, suv }) => {
  expect(suvAt(centre)).toBeCloseTo(suv, 2);
  expect(petTruth.suvAt(...centre)).toBe(suv);
});

test('the hottest pixel of the PET lies in the hottest sphere', () => {
  const hottest = petTruth.spheres.toSorted((one, other) => other.suv - one.suv)[0];
  const slopes = pet.map(({ dataset }) => numberOf(dataset, 'RescaleSlope') ?? 0);
  const plane = pet[slopes.indexOf(Math.max(...slopes))];

  const height = planeOf(plane?.dataset ?? {}).position[2];

  expect(Math.abs(height - (hottest?.centre[2] ?? NaN))).toBeLessThan(hottest?.radius ?? 0);
});

test('CT and PET share study and frame of reference but not the pixel grid', () => {
  const [ctImage = {}, petImage = {}] = [ct[0]?.dataset, pet[0]?.dataset];

  expect(ct).toHaveLength(48);
  for (const keyword of ['FrameOfReferenceUID', 'StudyInstanceUID', 'PatientID']) {
    expect(textOf(ctImage, keyword)).toBe(textOf(petImage, keyword));
  }
  expect(textOf(ctImage, 'SeriesInstanceUID')).not.toBe(textOf(petImage, 'SeriesInstanceUID'));
  expect(planeOf(ctImage).pixelSpacing).not.toBe(planeOf(petImage).pixelSpacing);
});

test('a sphere has the same position in CT and PET', () => {
  const node = petTruth.spheres.find(({ name }) => name === 'left hilar node');
  const planes = ct.map(({ dataset }) => planeOf(dataset));
  const center = node?.centre ?? [0, 0, 0];
  const index = sliceThrough(center, planes);
  const plane = planes[index] ?? planeOf({});

  const { row, column } = pixelOf(center, plane);

  const truth = ctTruth.spheres.find(({ name }) => name === 'left hilar node');
  expect(ct[index]?.valueAt(row, column)).toBe(truth?.hounsfield);
  expect(suvAt(center)).toBeCloseTo(node?.suv ?? NaN, 2);
});

test('the PET is corrected for attenuation and decay, and each slice has its own rescale', () => {
  const slopes = new Set(pet.map(({ dataset }) => numberOf(dataset, 'RescaleSlope')));
  const dataset = pet[0]?.dataset ?? {};

  expect(slopes.size).toBeGreaterThan(pet.length / 2);
  expect(textOf(dataset, 'Units')).toBe('BQML');
  expect(textOf(dataset, 'DecayCorrection')).toBe('START');
  expect(dataset['00280051']?.Value).toEqual(expect.arrayContaining(['ATTN', 'DECY']));
});
