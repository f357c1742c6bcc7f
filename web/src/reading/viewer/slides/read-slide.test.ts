import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readHeader } from '@radwork/dicom/header';
import { patients } from '@radwork/phantom/patients';
import { slidePyramid, type SlideOptions } from '@radwork/phantom/studies';
import { expect, test } from 'vitest';
import { type DicomJson, itemsOf, tag } from '#reading/viewer/images/header/dicom-json.ts';
import { sharedFolder } from '#test/shared-files.ts';
import { slideOf } from './read-slide.ts';
import { orientationOf } from './slide-orientation.ts';

const options: SlideOptions = {
  seed: 'read slide',
  patient: patients[1],
  studyDate: '20261110',
  accessionNumber: 'ACC-1',
};

/** Header as the server sends it. */
const headerOf = (bytes: Buffer): DicomJson => {
  const { dataset, transferSyntaxUID } = readHeader(bytes);
  return { ...dataset, [tag.AvailableTransferSyntaxUID]: { vr: 'UI', Value: [transferSyntaxUID] } } as DicomJson;
};

const headersOf = (more: Partial<SlideOptions> = {}): DicomJson[] =>
  Array.from(slidePyramid({ ...options, ...more }), ({ bytes }) => headerOf(bytes));

/** The images of a slide by level, then its label and overview. */
const usual = headersOf();
const levels = usual.slice(0, 3);
const [largest, , smallest] = usual;
const [sparse] = headersOf({ organization: 'TILED_SPARSE', isCompressed: false, factors: [1], hasLabel: false });

const changed = (header: DicomJson | undefined, values: Record<string, unknown>): DicomJson => ({
  ...header,
  ...Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, { vr: 'UN', Value: Array.isArray(value) ? value : [value] }]),
  ),
});

test('a slide has its levels from large to small, followed by its label and overview', () => {
  const slide = slideOf(usual.toReversed());

  expect(slide?.faults).toEqual([]);
  expect(slide?.pictures.map(({ kind }) => kind).toSorted()).toEqual(['label', 'overview', 'slide']);
  expect(slide?.pictures[0]).toMatchObject({
    kind: 'slide',
    pyramid: {
      width: 2000,
      height: 1400,
      spacing: 0.0005,
      objective: 20,
      paths: [{ id: '1', description: 'Brightfield' }],
      planes: [0],
      turn: { angle: 0, isMirrored: false },
    },
  });
  expect(slide?.pictures[0]?.pyramid.levels.map(({ columns, wide }) => [columns, wide])).toEqual([
    [2000, 1],
    [1000, 2],
    [250, 8],
  ]);
  expect(slide?.pictures[0]?.pyramid.levels[0]?.layers).toMatchObject([
    { across: 8, down: 6, parts: [{ form: 'jpeg', isRgb: false }], places: { kind: 'full', first: 0 } },
  ]);
});

test('a sparse slide has its tiles where their functional groups say', () => {
  if (!sparse) throw new Error('There is no slide');
  const [layer] = slideOf([sparse])?.pictures[0]?.pyramid.levels[0]?.layers ?? [];
  if (layer?.places.kind !== 'sparse') throw new Error('The level is not sparse');
  const { starts, frames, lefts, tops } = layer.places;
  const count = itemsOf(sparse, tag.PerFrameFunctionalGroupsSequence).length;

  expect(layer.parts).toMatchObject([{ form: 'rgb' }]);
  expect([...frames].toSorted((one, other) => one - other)).toEqual(Array.from({ length: count }, (_, at) => at));
  const cell = 1 * 8 + 6;
  const at = starts[cell] ?? 0;
  expect(starts[cell + 1]).toBe(at + 1);
  expect([lefts[at], tops[at]]).toEqual([1536, 256]);
});

test('an image with another number of frames than tiles is left out with its numbers', () => {
  const slide = slideOf([changed(largest, { [tag.NumberOfFrames]: 47 }), ...levels.slice(1)]);

  expect(slide?.faults).toEqual([{ kind: 'frames', columns: 2000, rows: 1400, frames: 47, needed: 48 }]);
  expect(slide?.pictures[0]?.pyramid.width).toBe(1000);
});

test('sparse tiles outside the image are counted and left out', () => {
  const slide = slideOf([changed(sparse, { [tag.TotalPixelMatrixColumns]: 1500 })]);

  expect(slide?.faults).toMatchObject([{ kind: 'places', frames: 1 }]);
  expect(slide?.pictures).toHaveLength(1);
});

test('a sparse image with more frames than places is left out', () => {
  const slide = slideOf([changed(sparse, { [tag.NumberOfFrames]: 900 })]);

  expect(slide?.faults).toMatchObject([{ kind: 'frames', frames: 900 }]);
  expect(slide?.pictures).toEqual([]);
});

const widthsIn = (headers: readonly DicomJson[]) =>
  slideOf(headers)?.pictures.map(({ pyramid }) => pyramid.levels.map(({ columns, rows }) => `${columns} ${rows}`));

test('an image with other proportions or another place is a separate slide, and so is a second image of a level', () => {
  const origin = {
    [tag.XOffsetInSlideCoordinateSystem]: { vr: 'DS', Value: [5] },
    [tag.YOffsetInSlideCoordinateSystem]: { vr: 'DS', Value: [40] },
  };
  const other = changed(smallest, { [tag.TotalPixelMatrixRows]: 100 });
  const moved = changed(smallest, { [tag.TotalPixelMatrixOriginSequence]: [origin] });
  const again = changed(smallest, { [tag.SOPInstanceUID]: '1.2.3' });
  const two = [['2000 1400', '1000 700'], ['250 175']];

  expect(widthsIn([...levels.slice(0, 2), other])).toEqual([['2000 1400', '1000 700'], ['250 100']]);
  expect(widthsIn([...levels.slice(0, 2), moved])).toEqual(two);
  expect(widthsIn([...levels, again])).toEqual([['2000 1400', '1000 700', '250 175'], ['250 175']]);
});

test('a thumbnail is left out if its proportions differ from those of the slide', () => {
  const thumbnail = changed(smallest, {
    [tag.ImageType]: ['DERIVED', 'PRIMARY', 'THUMBNAIL', 'RESAMPLED'],
    [tag.TotalPixelMatrixRows]: 100,
  });

  expect(widthsIn([...levels.slice(0, 1), thumbnail])).toEqual([['2000 1400']]);
  expect(widthsIn([thumbnail])).toEqual([['250 100']]);
});

test('frames of focal planes and optical paths follow one another', () => {
  const paths = ['DAPI', 'FITC'].map((id) => ({ [tag.OpticalPathIdentifier]: { vr: 'SH', Value: [id] } }));
  const slide = slideOf([
    changed(smallest, {
      [tag.NumberOfFrames]: 6,
      [tag.TotalPixelMatrixFocalPlanes]: 3,
      [tag.DistanceBetweenFocalPlanes]: 0.5,
      [tag.OpticalPathSequence]: paths,
    }),
  ]);
  const pyramid = slide?.pictures[0]?.pyramid;

  expect(pyramid?.planes).toEqual([0, 0.5, 1]);
  expect(pyramid?.paths.map(({ id }) => id)).toEqual(['DAPI', 'FITC']);
  expect(pyramid?.levels[0]?.layers.map(({ path, z, places }) => [path, z, places])).toContainEqual([
    'FITC',
    0.5,
    { kind: 'full', first: 4 },
  ]);
});

test('levels with one optical path each belong together, whatever the path is called', () => {
  const path = { [tag.OpticalPathIdentifier]: { vr: 'SH', Value: ['A7'] } };
  const slide = slideOf([...levels.slice(0, 2), changed(smallest, { [tag.OpticalPathSequence]: [path] })]);

  expect(slide?.pictures[0]?.pyramid.paths).toEqual([{ id: '1', description: 'Brightfield' }]);
  expect(slide?.pictures[0]?.pyramid.levels.flatMap(({ layers }) => layers.map((layer) => layer.path))).toEqual([
    '1',
    '1',
    '1',
  ]);
});

test('the instances of a concatenation form one image', () => {
  const partOf = (uid: string, frames: number, offset: number) =>
    changed(largest, {
      [tag.ConcatenationUID]: '1.2.3',
      [tag.SOPInstanceUID]: uid,
      [tag.NumberOfFrames]: frames,
      [tag.ConcatenationFrameOffsetNumber]: offset,
    });
  const slide = slideOf([partOf('1.2', 8, 40), partOf('1.1', 40, 0)]);

  expect(slide?.faults).toEqual([]);
  expect(slide?.pictures[0]?.pyramid.levels[0]?.layers[0]?.parts).toMatchObject([
    { instanceUid: '1.1', first: 0, frames: 40 },
    { instanceUid: '1.2', first: 40, frames: 8 },
  ]);
});

test('a series without slide images has no slide', () => {
  expect(slideOf([{ [tag.SOPClassUID]: { vr: 'UI', Value: ['1.2.840.10008.5.1.4.1.1.2'] } }])).toBeUndefined();
});

test.each([
  [[0, -1, 0, -1, 0, 0], 0, false],
  [[0, 1, 0, 1, 0, 0], 180, false],
  [[1, 0, 0, 0, -1, 0], -90, false],
  [[1, 0, 0, 0, 1, 0], 90, true],
  [[0.001, -1, 0, -1, -0.001, 0], 0, false],
  [[], 0, false],
])('the orientation %j is drawn turned by %i degrees, mirrored: %s', (cosines, degrees, isMirrored) => {
  const { angle, isMirrored: mirrored } = orientationOf(cosines);

  expect(Math.round((Math.abs(angle) * 180) / Math.PI)).toBe(Math.abs(degrees));
  expect(mirrored).toBe(isMirrored);
});

const realSlide = sharedFolder('dicom/seg-sr-rwv');

test.skipIf(!realSlide)('a real slide of one level has its tiles in order (needs shared/dicom)', () => {
  const slide = slideOf([headerOf(readFileSync(join(realSlide ?? '', 'sm_image.dcm')))]);

  expect(slide?.faults).toEqual([]);
  expect(slide?.pictures[0]?.pyramid).toMatchObject({ width: 50, height: 50, spacing: 0.000499 });
});
