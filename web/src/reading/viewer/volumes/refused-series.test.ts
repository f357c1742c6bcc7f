import { readHeader } from '@radwork/dicom/header';
import { chestCt, ctSeries } from '@radwork/phantom/ct';
import { sagittal, stackAround } from '@radwork/phantom/geometry';
import { patients } from '@radwork/phantom/patients';
import { ctVolume } from '@radwork/phantom/studies';
import { ctTruth } from '@radwork/phantom/known-values';
import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { answerBytes, serve, signIn } from '#test/screen.tsx';
import { type DicomJson, tag } from '#reading/viewer/images/header/dicom-json.ts';
import { seriesImages } from '#reading/viewer/images/series/series-loader.ts';
import { volumeFitness } from './volume-fitness.ts';

const about = { patient: patients[0], studyDate: '20261112', accessionNumber: 'REFUSED', size: 16 };

const headersOf = (files: Iterable<{ bytes: Buffer }>): DicomJson[] =>
  Array.from(files, ({ bytes }) => readHeader(bytes).dataset as DicomJson);

const chest = (slices: number) => headersOf(ctVolume({ ...about, seed: 'refused', slices }));

/** Returns slices of a chest with replaced header elements. */
const withElements = (slices: number, elements: DicomJson) =>
  chest(slices).map((header) => ({ ...header, ...elements }));

/** Returns five axial slices of a chest and a sagittal slice through the middle of the chest. */
const withLocalizer = () => {
  const localizerOptions = { ...about, seed: 'localizer', slices: 5 };
  const localizer = stackAround([0, 0, 0], sagittal, {
    rows: 16,
    columns: 16,
    pixelSpacing: 25,
    slices: 1,
    spacing: 1,
  });
  return headersOf(
    ctSeries(localizerOptions, chestCt, {
      modality: 'CT',
      number: 1,
      description: 'Chest with localizer',
      bodyPart: 'CHEST',
      start: 120,
      planes: [...ctTruth.planes(localizerOptions), ...localizer],
      frameOfReferenceUID: '2.25.1234',
      noise: 16,
    }),
  );
};

const spacing = (...Value: number[]): DicomJson => ({ [tag.PixelSpacing]: { vr: 'DS', Value } });
const noSize = 'No pixel spacing in images 1, 2, 3, and 4.';

let series = 0;

/** Reads a series from headers in the format of the server, as the viewer does. */
const read = (headers: readonly DicomJson[]) => {
  signIn();
  serve(answerBytes('/api/wado-rs/studies/:study/series/:series/metadata', () => Response.json(headers)));
  series += 1;
  return new QueryClient().fetchQuery(seriesImages('2.25.1', `2.25.${series}`));
};

test.each<[string, readonly DicomJson[], string | RegExp]>([
  ['a missing slice', chest(20).toSpliced(10, 1), '1 slice is missing: between images 10 and 12.'],
  ['a localizer', withLocalizer(), 'The orientation differs from the other images: image 6.'],
  ['one image', chest(1), 'The series has 1 image. A volume needs at least 3 slices.'],
  ['no pixel size', withElements(4, spacing()), noSize],
  ['a pixel size of 0', withElements(4, spacing(0, 0)), noSize],
  [
    'all slices at one position',
    withElements(4, { [tag.ImagePositionPatient]: { vr: 'DS', Value: [-64, -64, 0] } }),
    /^Several images at the same position.*images 1, 2, 3, and 4/,
  ],
])('MPR of a chest with %s is refused, and the reason names the images', async (_, headers, reason) => {
  const fitness = volumeFitness(await read(headers));

  expect(fitness).toEqual({ isFit: false, reason: expect.stringMatching(reason) });
});

test('MPR of a complete chest is accepted', async () => {
  expect(volumeFitness(await read(chest(20)))).toMatchObject({ isFit: true });
});
