import { itemsOf, numberOf, textOf } from '@radwork/dicom/dataset';
import { readHeader } from '@radwork/dicom/header';
import { expect, test } from 'vitest';
import { patients } from './patients.ts';
import { slideColors, slideTruth } from './slide.ts';
import { slidePyramid, type SlideOptions } from './studies.ts';

const options: SlideOptions = {
  seed: 'slide',
  patient: patients[2],
  studyDate: '20261110',
  accessionNumber: 'ACC-12',
};

test('the levels of a slide have as many frames as tiles', () => {
  const levels = [...slidePyramid(options)].map(({ bytes }) => readHeader(bytes).dataset);

  expect(levels.map((level) => numberOf(level, 'NumberOfFrames'))).toEqual([48, 12, 1, 1, 1]);
  expect(levels.map((level) => textOf(level, 'DimensionOrganizationType'))).toEqual([
    'TILED_FULL',
    'TILED_FULL',
    'TILED_FULL',
    undefined,
    undefined,
  ]);
});

test('an uncompressed slide has its mark in the tile of column 6 and row 1', () => {
  const [file] = slidePyramid({ ...options, isCompressed: false, factors: [1] });
  const bytes = file?.bytes ?? Buffer.alloc(0);
  const { pixelData } = readHeader(bytes);
  const tileBytes = slideTruth.tile ** 2 * 3;
  const start = (pixelData?.offset ?? 0) + (1 * 8 + 6) * tileBytes;

  expect([...bytes.subarray(start, start + 3)]).toEqual(slideColors.mark);
  expect([...bytes.subarray(start + tileBytes - 3, start + tileBytes)]).toEqual(slideColors.mark);
  expect([...bytes.subarray(start - 3, start)]).not.toEqual(slideColors.mark);
});

test('a sparse slide states the place of each frame and leaves out glass', () => {
  const [file] = slidePyramid({ ...options, organization: 'TILED_SPARSE', factors: [1] });
  const { dataset } = readHeader(file?.bytes ?? Buffer.alloc(0));
  const frames = itemsOf(dataset, 'PerFrameFunctionalGroupsSequence');

  expect(frames.length).toBe(numberOf(dataset, 'NumberOfFrames'));
  expect(frames.length).toBeLessThan(48);
  const places = frames.map((frame) => {
    const [place = {}] = itemsOf(frame, 'PlanePositionSlideSequence');
    return ['Column', 'Row'].map((axis) => numberOf(place, `${axis}PositionInTotalImagePixelMatrix`));
  });
  expect(places).toContainEqual([1537, 257]);
});
