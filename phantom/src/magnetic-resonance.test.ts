import { textOf } from '@radwork/dicom/dataset';
import { expect, test } from 'vitest';
import { pixelOf } from './geometry.ts';
import { openImage, planeOf } from './image-file.ts';
import { patients } from './patients.ts';
import { magneticResonance } from './studies.ts';
import { mrTruth, sliceThrough } from './known-values.ts';

const files = [
  ...magneticResonance({ seed: 'mr', patient: patients[2], studyDate: '20261110', accessionNumber: 'ACC-9' }),
];
const imagesOf = (folder: string) =>
  files.filter(({ name }) => name.startsWith(`${folder}/`)).map(({ bytes }) => openImage(bytes));

const spheresBySeries = mrTruth.series.flatMap((series) => mrTruth.spheres.map((sphere) => ({ ...series, sphere })));

test.each(spheresBySeries)(
  'the $sphere.name has its known position in $description',
  ({ folder, weighting, sphere }) => {
    const images = imagesOf(folder);
    const planes = images.map(({ dataset }) => planeOf(dataset));
    const index = sliceThrough(sphere.centre, planes);
    const { row, column } = pixelOf(sphere.centre, planes[index] ?? planeOf({}));

    const value = images[index]?.valueAt(row, column);

    expect(value).toBe(sphere.signal[weighting]);
  },
);

test('the three MR series show one head in three orientations', () => {
  const series = mrTruth.series.map(({ folder }) => imagesOf(folder));
  const orientations = series.map(([image]) => planeOf(image?.dataset ?? {}));

  expect(series.map((images) => images.length)).toEqual([24, 24, 24]);
  expect(orientations.map(({ along, down }) => [...along, ...down])).toEqual([
    [0, 1, 0, 0, 0, -1],
    [1, 0, 0, 0, 1, 0],
    [1, 0, 0, 0, 0, -1],
  ]);
  const frames = series.flat().map(({ dataset }) => textOf(dataset, 'FrameOfReferenceUID'));
  expect(new Set(frames).size).toBe(1);
  const uids = series.map(([image]) => textOf(image?.dataset ?? {}, 'SeriesInstanceUID'));
  expect(new Set(uids).size).toBe(3);
});
