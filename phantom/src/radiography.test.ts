import { numberOf, textOf, valuesOf } from '@radwork/dicom/dataset';
import { expect, test } from 'vitest';
import { pixelOf, type Point } from './geometry.ts';
import { openImage, type ImageFile } from './image-file.ts';
import { patients } from './patients.ts';
import { computedRadiography, type RadiographyOptions } from './studies.ts';
import { crTruth } from './known-values.ts';

const options: RadiographyOptions = {
  seed: 'cr',
  patient: patients[4],
  studyDate: '20261110',
  accessionNumber: 'ACC-11',
  size: 512,
};
const open = (imageOptions: RadiographyOptions): ImageFile => {
  const [file] = computedRadiography(imageOptions);
  return openImage(file?.bytes ?? Buffer.alloc(0));
};
const image = open(options);
const plate = crTruth.plate(512);

test('the lead balls in the radiograph are 100 mm apart by the pixel spacing of the file', () => {
  const [upper, lower] = crTruth.leadBalls.map(({ centre }) => pixelOf(centre, plate));
  const [spacing] = valuesOf(image.dataset, 'ImagerPixelSpacing').map(Number);

  const distance = ((lower?.row ?? NaN) - (upper?.row ?? NaN)) * (spacing ?? NaN);

  expect(distance).toBeCloseTo(crTruth.ballDistance);
  for (const ball of [upper, lower]) {
    const { row, column } = ball ?? { row: 0, column: 0 };
    expect(image.valueAt(row, column) - image.valueAt(row, column + 8)).toBeGreaterThan(1000);
  }
});

test('the letter L is upright on the left side of the patient, which is on the right of the image', () => {
  const { top, corner, foot } = crTruth.sideMarker;
  const at = (point: Point): number => {
    const { row, column } = pixelOf(point, plate);
    return image.valueAt(row, column);
  };

  const openSide = at([foot[0], 0, top[2]]);

  expect(pixelOf(corner, plate).column).toBeGreaterThan(plate.columns / 2);
  expect(pixelOf(foot, plate).row).toBeGreaterThan(pixelOf(top, plate).row);
  for (const point of [top, corner, foot]) expect(at(point) - openSide).toBeGreaterThan(1000);
});

test('a MONOCHROME1 radiograph stores inverted values, so that the image looks the same', () => {
  const inverse = open({ ...options, photometricInterpretation: 'MONOCHROME1' });

  expect(textOf(inverse.dataset, 'PhotometricInterpretation')).toBe('MONOCHROME1');
  for (const [row, column] of [
    [40, 40],
    [250, 120],
    [300, 215],
    [500, 400],
  ] as const) {
    const difference = 4095 - inverse.valueAt(row, column) - image.valueAt(row, column);
    expect(Math.abs(difference)).toBeLessThanOrEqual(1);
  }
  const centers = [image, inverse].map(({ dataset }) => numberOf(dataset, 'WindowCenter') ?? NaN);
  expect(centers).toEqual([1800, 4095 - 1800]);
});

test('the lungs in the radiograph are darker than the spine', () => {
  const spine = pixelOf([0, 0, 0], plate);
  const lung = pixelOf([-80, 0, 20], plate);

  expect(image.valueAt(spine.row, spine.column)).toBeGreaterThan(image.valueAt(lung.row, lung.column) + 700);
});
