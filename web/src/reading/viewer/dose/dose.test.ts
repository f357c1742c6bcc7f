import { readHeader } from '@radwork/dicom/header';
import { closingBoundary, partHeader } from '@radwork/dicom/multipart';
import type { Elements } from '@radwork/dicom/part10';
import { ctTruth, doseAt as trueDose, knownDose } from '@radwork/phantom/known-values';
import { ctVolume, type DoseForm, doseVolume, structureSet, treatmentPlan } from '@radwork/phantom/studies';
import { expect, test } from 'vitest';
import { answerBytes, serve, signIn } from '#test/screen.tsx';
import { planeOf } from '#reading/viewer/images/geometry/image-plane.ts';
import { pointAt, sliceOf } from '#reading/viewer/images/geometry/slice.ts';
import { type DicomJson, numberOf, tag } from '#reading/viewer/images/header/dicom-json.ts';
import { withFrameAtTop } from '#reading/viewer/images/header/frame-attributes.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import { planeSlice } from '#reading/viewer/volumes/plane-slice.ts';
import { doseAt, doseOnSlice } from './dose-grid.ts';
import { whyNotOver } from './dose-over-image.tsx';
import { factsOf, linkedOf } from './plan-facts.ts';
import { dosesIn, loadGrid } from './read-dose.ts';

const options = {
  seed: 'dose of a test',
  patient: { PatientName: 'Dose^Dora', PatientID: 'D1', PatientBirthDate: '19610203', PatientSex: 'F' },
  studyDate: '20261112',
  accessionNumber: 'D-1',
  slices: 24,
  size: 128,
} as const;

const headerOf = (bytes: Buffer): DicomJson => ({
  ...withFrameAtTop(readHeader(bytes).dataset),
  [tag.AvailableTransferSyntaxUID]: { vr: 'UI', Value: ['1.2.840.10008.1.2.1'] },
});

const base = '/api/wado-rs/studies/1.2/series/1.3/instances';

const imagesOf = (bytes: Buffer, instance = '1.4'): SeriesImage[] => {
  const header = headerOf(bytes);
  const numberOfFrames = numberOf(header, tag.NumberOfFrames) ?? 1;
  return Array.from({ length: numberOfFrames }, (_, at) => ({
    imageId: `wadors:${base}/${instance}/frames/${at + 1}`,
    header,
    frame: at + 1,
    numberOfFrames,
    instanceNumber: 1,
    plane: planeOf(header, at + 1),
  }));
};

/** Answers with the frames of a file, and returns the lists of frames that were asked for. */
const serveFrames = (bytes: Buffer, [image]: readonly SeriesImage[]) => {
  const { header, numberOfFrames = 1 } = image ?? { header: {} };
  const of = (attribute: string) => numberOf(header, attribute as typeof tag.Rows) ?? 0;
  const length = (of(tag.Rows) * of(tag.Columns) * of(tag.BitsAllocated)) / 8;
  const pixels = bytes.subarray(bytes.length - length * numberOfFrames);
  const requests: string[] = [];
  signIn();
  serve(
    answerBytes(`${base}/1.4/frames/:list`, ({ url }) => {
      const list = decodeURIComponent(url.pathname.split('/').at(-1) ?? '');
      requests.push(list);
      const parts = list.split(',').flatMap((frame) => {
        const start = (Number(frame) - 1) * length;
        return [
          partHeader({ boundary: 'x', contentType: 'application/octet-stream' }),
          pixels.subarray(start, start + length),
        ];
      });
      const headers = { 'content-type': 'multipart/related; type="application/octet-stream"; boundary=x' };
      return new Response(new Uint8Array(Buffer.concat([...parts, closingBoundary('x')])), { headers });
    }),
  );
  return requests;
};

const read = (form: DoseForm = {}) => {
  const { bytes } = doseVolume(options, {}, form);
  const images = imagesOf(bytes);
  const [dose] = dosesIn(images.toReversed());
  if (!dose) throw new Error('There is no dose');
  return { dose, bytes, images };
};

const loaded = async (form: DoseForm = {}) => {
  const { dose, bytes, images } = read(form);
  const requests = serveFrames(bytes, images);
  return { dose, asked: requests, grid: await loadGrid(dose, new AbortController().signal) };
};

const [ctFile] = ctVolume(options);
const ctImages = (): SeriesImage[] => [...ctVolume(options)].flatMap(({ bytes }, at) => imagesOf(bytes, `2.${at}`));

test.each([
  ['with distances from the first frame', {}],
  ['with heights in the patient', { hasHeights: true }],
  ['from the head down', { isDescending: true }],
  ['from the head down with heights', { isDescending: true, hasHeights: true }],
])('a dose %s lies in its place in the patient', async (_, form: DoseForm) => {
  const { grid } = await loaded(form);
  const { centre } = ctTruth.spheres.find(({ name }) => name === knownDose.around) ?? { centre: [0, 0, 0] as const };

  expect(grid.maximum).toBeCloseTo(knownDose.maximum, 2);
  for (const [left, posterior, superior] of [
    [0, 0, 0],
    [10.4, -3.3, 2.2],
    [-31, 14, -27.5],
    [2, 40, 44.1],
  ] as const) {
    const point = [centre[0] + left, centre[1] + posterior, centre[2] + superior] as const;
    // Between frames that are 12 mm apart, the dose is interpolated.
    expect(Math.abs(doseAt(grid, point) - trueDose(point))).toBeLessThan(1.2);
  }
});

test('a point outside the dose grid has no dose', async () => {
  const { grid } = await loaded();

  expect(doseAt(grid, [40, 2, 22 + 72.1])).toBeNaN();
  expect(doseAt(grid, [40, 2, 22 + 71.9])).not.toBeNaN();
  expect(doseAt(grid, [40 + 91, 2, 22])).toBeNaN();
});

test('the dose at a CT pixel is the dose at its point in the patient', async () => {
  const { grid } = await loaded();
  for (const image of ctImages()) {
    const slice = sliceOf(image);
    if (!slice) throw new Error('The CT has no position');
    const doses = doseOnSlice(grid, slice);
    for (const [row, column] of [
      [64, 64],
      [60, 80],
      [70, 70],
    ] as const) {
      const point = pointAt(slice, { row, column });
      const dose = doses[row * slice.columns + column] ?? Number.NaN;
      const isOutside = Math.abs(point[2] - 22) > 72;
      expect(Number.isNaN(dose)).toBe(isOutside);
      expect(isOutside ? 0 : Math.abs(dose - trueDose(point))).toBeLessThan(1.2);
    }
  }
});

test('the dose at a point of a coronal plane is the dose at that point in the patient', async () => {
  const { grid } = await loaded();
  const middle = [40, 2, 22] as const;
  const { slice, toScreen } = planeSlice(
    {
      toPatient: (x, y) => [middle[0] + (x - 150) / 2, middle[1], middle[2] - (y - 100) / 2],
      toScreen: () => [0, 0],
      right: [1, 0, 0],
      down: [0, 0, -1],
      normal: [0, -1, 0],
      scale: 2,
      width: 300,
      height: 200,
    },
    '1.2',
  );

  const doses = doseOnSlice(grid, slice);

  expect([slice.columns, slice.rows, slice.columnSpacing]).toEqual([151, 101, 1]);
  expect(toScreen({ x: 75.5, y: 50.5 })).toEqual({ x: 150, y: 100 });
  for (const [row, column] of [
    [50, 75],
    [40, 60],
    [70, 90],
  ] as const) {
    const point = pointAt(slice, { row, column });
    const dose = doses[row * slice.columns + column] ?? Number.NaN;
    expect(Math.abs(dose - trueDose(point))).toBeLessThan(1.2);
  }
});

test('the frames of a dose are fetched together', async () => {
  const { asked } = await loaded();

  expect(asked).toEqual([Array.from({ length: 21 }, (_, at) => at + 1).join()]);
});

const withElements = (elements: Elements) => read({ elements }).dose.lack;

test.each([
  ['without a scaling', { DoseGridScaling: undefined }, 'Its scaling (DoseGridScaling) is missing.'],
  ['of differences', { DoseType: 'ERROR' }, 'It contains differences between doses, not a dose.'],
  ['without a frame of reference', { FrameOfReferenceUID: undefined }, 'It has no frame of reference.'],
  ['without offsets that can be used', { GridFrameOffsetVector: undefined }, 'Two frames have the same position.'],
])('a dose %s is refused with a reason', async (_, elements, reason) => {
  const { dose, bytes, images } = read({ elements });
  serveFrames(bytes, images);
  const why = dose.lack || (await loadGrid(dose, new AbortController().signal).catch((error: unknown) => error));

  expect(why instanceof Error ? why.message : why).toBe(reason);
});

test('a complete dose is not refused', () => {
  expect(withElements({})).toBe('');
});

test('a dose of another frame of reference is never drawn, and the image says so', () => {
  const [image] = ctFile ? imagesOf(ctFile.bytes) : [];
  if (!image) throw new Error('The CT has images');
  const [stray] = dosesIn(imagesOf(doseVolume(options, { isStray: true }).bytes));
  if (!stray) throw new Error('There is no dose');
  const unplaced = { ...image, header: { ...image.header, [tag.FrameOfReferenceUID]: { vr: 'UI' } } };

  expect(whyNotOver(read().dose, image)).toBe('');
  expect(whyNotOver(stray, image)).toBe('Dose is not shown: the frame of reference differs from these images.');
  const localizer = { vr: 'CS', Value: ['ORIGINAL', 'PRIMARY', 'LOCALIZER'] };
  const scout = { ...image, header: { ...image.header, [tag.ImageType]: localizer } };

  expect(whyNotOver(read().dose, scout)).toBe('Dose is not shown: the image is a localizer, not a slice.');
  expect(whyNotOver(read().dose, unplaced)).toBe('Dose is not shown: the image has no position in the patient.');
});

const linkedIn = (files: readonly { bytes: Buffer }[]) => files.map(({ bytes }) => linkedOf(headerOf(bytes)));

test('a dose names its plan, the structure set of the plan and the prescription', () => {
  const linked = linkedIn([treatmentPlan(options), structureSet(options)]);

  expect(factsOf(read().dose, linked)).toEqual({
    plans: [knownDose.plan],
    structureSets: [knownDose.structureSet],
    prescription: knownDose.prescription,
  });
});

test('a plan that is not in the study is not named, and percents of its prescription are not offered', () => {
  expect(factsOf(read().dose, [])).toEqual({ plans: [undefined], structureSets: [], prescription: undefined });
});

test.each([
  ['one fraction', { DoseSummationType: 'FRACTION' }],
  ['a relative dose', { DoseUnits: 'RELATIVE' }],
])('percents of the prescription of a plan are not offered for %s', (_, elements) => {
  const linked = linkedIn([treatmentPlan(options)]);

  expect(factsOf(read({ elements }).dose, linked)).toMatchObject({ plans: [knownDose.plan], prescription: undefined });
});
