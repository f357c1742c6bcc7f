import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readHeader } from '@radwork/dicom/header';
import { writePart10 } from '@radwork/dicom/part10';
import { expect, test } from 'vitest';
import { sharedFolder } from '#test/shared-files.ts';
import { planeOf } from '#reading/viewer/images/geometry/image-plane.ts';
import { type DicomJson, numberOf, numbersOf, tag } from '#reading/viewer/images/header/dicom-json.ts';
import { cineAt, indexOfPhase, phasesAt } from './phase-axes.ts';
import { phaseText, placeText } from './phase-text.ts';
import { inReadingOrder } from './reading-order.ts';
import type { SeriesImage } from './series-loader.ts';

/** Images of the files of a series, as the viewer reads them. */
const seriesOf = (files: readonly Buffer[]): SeriesImage[] =>
  inReadingOrder(
    files.map((file, at): SeriesImage => {
      const header = readHeader(file).dataset as DicomJson;
      const instanceNumber = numberOf(header, tag.InstanceNumber);
      return { imageId: `${at}`, header, frame: 1, numberOfFrames: 1, instanceNumber, plane: planeOf(header, 1) };
    }),
  );

const fileOf = (number: number, height: number, elements: object): Buffer =>
  Buffer.from(
    writePart10({
      transferSyntaxUID: '1.2.840.10008.1.2.1',
      dataset: {
        SOPClassUID: '1.2.840.10008.5.1.4.1.1.4',
        SOPInstanceUID: `2.25.${number}${height}${JSON.stringify(elements).length}`,
        StudyInstanceUID: '2.25.7',
        SeriesInstanceUID: '2.25.8',
        Modality: 'MR',
        InstanceNumber: number,
        ImagePositionPatient: [0, 0, height],
        ImageOrientationPatient: [1, 0, 0, 0, 1, 0],
        Rows: 4,
        Columns: 4,
        ...elements,
      },
    }),
  );

const heights = [0, 5, 10];

/** Three phases of three slices whose numbers restart, phases last to first. */
const dynamic = seriesOf(
  [3, 2, 1].flatMap((phase) =>
    heights.map((height, place) =>
      fileOf(place + 1, height, {
        TemporalPositionIdentifier: phase,
        AcquisitionDate: '20260301',
        AcquisitionTime: `10${15 + phase}00`,
      }),
    ),
  ),
);

const cine = seriesOf(
  [0, 8].flatMap((height) => [0, 40, 80].map((time, at) => fileOf(at + 1, height, { TriggerTime: time }))),
);

const weighted = seriesOf(
  [0, 1000].flatMap((weight) =>
    heights.map((height, at) => fileOf(at + 1, height, { DiffusionBValue: weight, EchoTime: 80 })),
  ),
);

test('names phase, time and slice of each image', () => {
  expect(dynamic.map(({ phase }) => phase && `${phaseText(phase)} | ${placeText(phase)}`).slice(2, 5)).toEqual([
    'Phase 1 of 3 · 10:16:00 | Slice 3 of 3',
    'Phase 2 of 3 · 10:17:00 | Slice 1 of 3',
    'Phase 2 of 3 · 10:17:00 | Slice 2 of 3',
  ]);
  expect(cine[2]?.phase && phaseText(cine[2].phase)).toBe('Phase 2 of 3 · 40 ms');
  expect(weighted[3]?.phase && phaseText(weighted[3].phase)).toBe('Phase 2 of 2 · b 1000 s/mm²');
});

test('steps through the phases of one place, up to either end', () => {
  expect(indexOfPhase(dynamic, 1, 1)).toBe(4);
  expect(indexOfPhase(dynamic, 1, -1)).toBe(1);
  expect(indexOfPhase(dynamic, 4, 5)).toBe(7);
  expect(indexOfPhase([{ ...(dynamic[0] as SeriesImage), phase: undefined }], 0, 1)).toBeUndefined();
});

test('a cine plays the times at one place; a diffusion series plays the places of one b-value', () => {
  const timesAt = cineAt(cine, 1).map(({ header }) => [numberOf(header, tag.TriggerTime), heightOf(header)]);
  const heightsAt = cineAt(weighted, 4).map(({ header }) => [numberOf(header, tag.DiffusionBValue), heightOf(header)]);

  expect(timesAt).toEqual([
    [0, 8],
    [40, 8],
    [80, 8],
  ]);
  expect(heightsAt).toEqual(heights.map((height) => [1000, height]));
});

const heightOf = (header: DicomJson) => numbersOf(header, tag.ImagePositionPatient)[2];

/** Files of public reports, made for this project. Without them, these tests are skipped. */
const cases = sharedFolder('cases');
const casesNamed = (folder: string, names: readonly string[]) =>
  seriesOf(names.map((name) => readFileSync(join(cases ?? '', folder, `${name}.dcm`))));

test.skipIf(cases === undefined)('the dynamic series of the reported case is ordered by phase, then place', () => {
  const names = [0, 1, 2].flatMap((phase) => [0, 1, 2, 3, 4, 5].map((place) => `dyn-${phase}${place}`));
  const images = casesNamed(
    'viewer',
    names.toSorted((one, other) => Number(one.at(-1)) - Number(other.at(-1))),
  );

  expect(images.map(({ header }) => [numberOf(header, tag.TemporalPositionIdentifier), heightOf(header)])).toEqual(
    [1, 2, 3].flatMap((phase) => [0, 5, 10, 15, 20, 25].map((height) => [phase, height])),
  );
  expect(images[8]?.phase && phaseText(images[8].phase)).toBe('Phase 2 of 3 · 10:17:00');
});

test.skipIf(cases === undefined)('the heart series of the reported case plays at one place', () => {
  const names = Array.from({ length: 12 }, (_, at) => `cmr-${String(at + 1).padStart(2, '0')}`);
  const images = casesNamed('cardiology', names);

  expect(phasesAt(images, 1).map(({ header }) => numberOf(header, tag.TriggerTime))).toEqual([0, 200, 400, 600]);
  expect(new Set(cineAt(images, 1).map(({ header }) => heightOf(header)))).toEqual(new Set([8]));
  expect(images[4]?.phase && [phaseText(images[4].phase), placeText(images[4].phase)]).toEqual([
    'Phase 2 of 4 · 200 ms',
    'Slice 2 of 3',
  ]);
});
