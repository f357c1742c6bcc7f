import { readHeader } from '@radwork/dicom/header';
import { patients } from '@radwork/phantom/patients';
import { binarySegmentation, ctVolume } from '@radwork/phantom/studies';
import { expect, test } from 'vitest';
import { type DicomJson, itemsOf, numberOf, tag } from '#reading/viewer/images/header/dicom-json.ts';
import { planeOf } from '#reading/viewer/images/geometry/image-plane.ts';
import { imagesOf, place } from './placement.ts';
import { readSegmentation } from './read-segmentation.ts';

/** Segmentations after public reports about other systems. docs/public-reports.md lists the threads. */

const options = {
  seed: 'public reports',
  patient: patients[0],
  studyDate: '20261110',
  accessionNumber: 'REPORTS',
  slices: 20,
  size: 31,
};
const headerOf = (bytes: Buffer): DicomJson => readHeader(bytes).dataset as DicomJson;
const images = [...ctVolume(options)].map(({ bytes }) => {
  const header = headerOf(bytes);
  const instanceNumber = numberOf(header, tag.InstanceNumber);
  return { imageId: '', header, frame: 1, numberOfFrames: 1, instanceNumber, plane: planeOf(header, 1) };
});
const study = readHeader([...ctVolume({ ...options, slices: 1 })][0]?.bytes ?? Buffer.alloc(0)).studyInstanceUID;
const original = headerOf(binarySegmentation(options).bytes);

/** The images that show each segment of a file. */
const shownBy = (header: DicomJson): Record<number, number[]> => {
  const set = readSegmentation(header, { studyInstanceUID: study, seriesInstanceUID: '1.2' });
  const { placement } = place(set, { studyInstanceUID: study, images });
  return Object.fromEntries(set.regions.map(({ number }) => [number, imagesOf(placement, number)]));
};

const sequence = (Value: readonly DicomJson[]) => ({ vr: 'SQ', Value });
const number = (value: number) => ({ vr: 'US', Value: [value] });
const framesOf = (header: DicomJson) => itemsOf(header, tag.PerFrameFunctionalGroupsSequence);
const segmentOf = (frame: DicomJson) =>
  numberOf(itemsOf(frame, tag.SegmentIdentificationSequence)[0] ?? {}, tag.ReferencedSegmentNumber) ?? 0;
const identified = (segment: number) => ({
  [tag.SegmentIdentificationSequence]: sequence([{ [tag.ReferencedSegmentNumber]: number(segment) }]),
});

test('segments whose numbers have gaps are shown on the same images', () => {
  const numbered = {
    ...original,
    [tag.SegmentSequence]: sequence(
      itemsOf(original, tag.SegmentSequence).map((segment) => ({
        ...segment,
        [tag.SegmentNumber]: number(1000 * (numberOf(segment, tag.SegmentNumber) ?? 0) + 2),
      })),
    ),
    [tag.PerFrameFunctionalGroupsSequence]: sequence(
      framesOf(original).map((frame) => ({ ...frame, ...identified(1000 * segmentOf(frame) + 2) })),
    ),
  };
  const expected = Object.entries(shownBy(original)).map(([segment, shown]) => [1000 * Number(segment) + 2, shown]);

  expect(Object.keys(shownBy(original)).length).toBeGreaterThan(0);
  expect(shownBy(numbered)).toEqual(Object.fromEntries(expected));
});

test('a segment number that all frames share is used for each frame', () => {
  const own = framesOf(original).filter((frame) => segmentOf(frame) === 1);
  const [shared = {}] = itemsOf(original, tag.SharedFunctionalGroupsSequence);
  const together = {
    ...original,
    [tag.SharedFunctionalGroupsSequence]: sequence([{ ...shared, ...identified(1) }]),
    [tag.PerFrameFunctionalGroupsSequence]: sequence(
      own.map((frame) => ({ ...frame, [tag.SegmentIdentificationSequence]: sequence([]) })),
    ),
  };

  expect(shownBy(together)[1]).toEqual(shownBy(original)[1]);
  expect(shownBy(together)[1]?.length).toBeGreaterThan(0);
});

test.each([
  ['in file order', (frames: DicomJson[]) => frames],
  ['in reverse order', (frames: DicomJson[]) => frames.toReversed()],
])('frames without any reference are placed by their position: %s', (_, ordered) => {
  const { [tag.ReferencedSeriesSequence]: __, ...rest } = original;
  const unreferenced = {
    ...rest,
    [tag.PerFrameFunctionalGroupsSequence]: sequence(
      ordered([...framesOf(original)]).map((frame) => ({ ...frame, [tag.DerivationImageSequence]: sequence([]) })),
    ),
  };

  expect(shownBy(unreferenced)).toEqual(shownBy(original));
});
