import { expect, test } from 'vitest';
import { readHeader } from './header.ts';
import { type Elements, writeDataSet, writePart10 } from './part10.ts';
import { singleTileSize, slideRank } from './slide.ts';

const image = (kind: string, frames = 1) => ({
  '00080008': { vr: 'CS', Value: ['DERIVED', 'PRIMARY', kind, 'NONE'] },
  '00280008': { vr: 'IS', Value: [frames] },
});

test('a thumbnail represents a slide best, a label worst, and an overview better than a tile of a large level', () => {
  const images = [image('LABEL'), image('VOLUME', 400), image('OVERVIEW'), image('VOLUME', 2), image('THUMBNAIL')];

  const sorted = images.toSorted((one, other) => slideRank(one) - slideRank(other));

  expect(sorted).toEqual([
    image('THUMBNAIL'),
    image('VOLUME', 2),
    image('OVERVIEW'),
    image('VOLUME', 400),
    image('LABEL'),
  ]);
});

test('the padding of the only tile is not part of the image', () => {
  const tile = { '00280010': { vr: 'US', Value: [256] }, '00280011': { vr: 'US', Value: [256] } };
  const total = { '00480006': { vr: 'UL', Value: [250] }, '00480007': { vr: 'UL', Value: [175] } };

  expect(singleTileSize({ ...image('VOLUME'), ...tile, ...total })).toEqual({ columns: 250, rows: 175 });
  expect(singleTileSize({ ...image('VOLUME', 2), ...tile, ...total })).toBeUndefined();
  expect(singleTileSize({ ...image('LABEL'), ...tile })).toBeUndefined();
});

test('the header of a sparse slide with 50,000 tiles is read', () => {
  const place: Elements = {
    FrameContentSequence: [{ DimensionIndexValues: [1, 1] }],
    PlanePositionSlideSequence: [
      {
        XOffsetInSlideCoordinateSystem: 1,
        YOffsetInSlideCoordinateSystem: 2,
        ZOffsetInSlideCoordinateSystem: 0,
        ColumnPositionInTotalImagePixelMatrix: 1,
        RowPositionInTotalImagePixelMatrix: 1,
      },
    ],
    OpticalPathIdentificationSequence: [{ OpticalPathIdentifier: '1' }],
  };
  const dataset = { SOPInstanceUID: '1.2', StudyInstanceUID: '1.3', SeriesInstanceUID: '1.4' };
  const file = writePart10({ transferSyntaxUID: '1.2.840.10008.1.2.1', dataset: { SOPClassUID: '1.2.3', ...dataset } });
  const item = writeDataSet('1.2.840.10008.1.2.1', { PerFrameFunctionalGroupsSequence: [place] });
  const head = item.subarray(0, 12);
  const items = Buffer.alloc((item.length - head.length) * 50_000, item.subarray(head.length));
  head.writeUInt32LE(items.length, 8);

  const { dataset: read } = readHeader(Buffer.concat([file, head, items]));

  expect(read['52009230']?.Value).toHaveLength(50_000);
});
