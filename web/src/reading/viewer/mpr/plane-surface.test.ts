import type { Measurement } from '@radwork/contract/reading/measurements';
import { expect, test } from 'vitest';
import { learnDensity } from '#reading/viewer/images/values/density-unit.ts';
import { tag } from '#reading/viewer/images/header/dicom-json.ts';
import { imageIdOf } from '#reading/viewer/images/series/series-loader.ts';
import type { Drawing } from '#reading/viewer/measuring/drawn-annotation.ts';
import type { Volume } from '#reading/viewer/volumes/volume.ts';
import { planesThrough, reasonNotDrawn, writeOnPlanes } from './plane-surface.ts';

const imageIds = [1, 2].map((number) => imageIdOf('2.25.1', '2.25.2', `2.25.3.${number}`, 1));

/** Volume with only the parts that the surface needs. The imaging library holds the voxels. */
const volumeWith = (loaded: readonly string[], all = imageIds, missing: readonly string[] = []): Volume =>
  ({
    volumeId: 'volume-1',
    images: all.map((imageId) => ({
      imageId,
      header: { [tag.SeriesInstanceUID]: { vr: 'UI', Value: ['2.25.2'] } },
    })),
    content: { metadata: { FrameOfReferenceUID: '2.25.77' } },
    loaded: new Set(loaded),
    missing: new Set(missing),
  }) as unknown as Volume;

const volume = volumeWith(imageIds);

const line: Drawing = {
  tool: 'LENGTH',
  seriesInstanceUID: '2.25.2',
  sopInstanceUID: null,
  frame: null,
  frameOfReferenceUID: '2.25.77',
  points: [
    [-25.123456789, 30, 0],
    [24.876543211, 30, 0],
  ],
  plane: { normal: [0, -1, 0], up: [0, 0, 1] },
  label: 'Ball',
  values: [{ quantity: 'LENGTH', value: 50, unit: 'mm' }],
};

const ellipse: Drawing = {
  ...line,
  tool: 'ELLIPSE',
  points: [
    [0, 30, -5],
    [0, 30, 5],
    [-5, 30, 0],
    [5, 30, 0],
  ],
};

const annotationOn = (what: Drawing, through = volume) => {
  const one = planesThrough(through).annotationOf('m1', what, false);
  if (!one) throw new Error('It lies on planes of this volume');
  return one;
};

const savedMeasurement = (what: Drawing): Measurement => ({
  ...what,
  id: 'm1',
  revision: 1,
  author: { username: 'weiss', name: 'Dr Weiss' },
  createdDate: '2026-11-22T10:00:00Z',
  updatedDate: '2026-11-22T10:00:00Z',
  isMine: true,
});

test('a drawing on a plane is stored by patient position, without an image, and reappears there', () => {
  const one = annotationOn(line);

  expect(planesThrough(volume).holds(one)).toBe(true);
  expect(planesThrough(volume).drawnBy(one)).toEqual({
    ...line,
    values: [{ ...line.values[0], value: expect.closeTo(50, 9) }],
  });
});

test('a drawing of another series or frame of reference is not shown on the plane', () => {
  const elsewhere = { ...line, frameOfReferenceUID: '2.25.78' };
  const surface = planesThrough(volume);

  expect(surface.annotationOf('m1', elsewhere, false)).toBeUndefined();
  expect(surface.annotationOf('m1', { ...line, seriesInstanceUID: '2.25.9' }, false)).toBeUndefined();
  expect(reasonNotDrawn(savedMeasurement(elsewhere), volume)).toMatch(
    /^Not drawn: measured in another frame of reference/,
  );
  expect(reasonNotDrawn(savedMeasurement(line), volume)).toBeUndefined();
  expect(reasonNotDrawn(savedMeasurement({ ...elsewhere, seriesInstanceUID: '2.25.9' }), volume)).toBeUndefined();
});

test('a drawing without a valid plane is not drawn, and the reason is shown', () => {
  const crooked: Drawing = { ...line, plane: { normal: [0, 2, 0], up: [0, 0, 1] } };

  expect(planesThrough(volume).annotationOf('m1', crooked, false)).toBeUndefined();
  expect(reasonNotDrawn(savedMeasurement(crooked), volume)).toMatch(/^Not drawn: the saved plane is invalid/);
});

test('when a handle is moved on another plane, the handle stays on the plane of its line', () => {
  const one = annotationOn(line);
  const surface = planesThrough(volume);
  one.data.handles?.points?.splice(1, 1, [25, 42, 10]);

  surface.straighten(one);

  expect(surface.drawnBy(one)?.points).toEqual([line.points[0], [25, 30, 10]]);
});

test.each([0, 30])(
  'a drawing between slices, on a plane rotated by %d degrees, stays where it was drawn',
  (degrees) => {
    const angle = (degrees * Math.PI) / 180;
    const normal: [number, number, number] = [0, Math.sin(angle), -Math.cos(angle)];
    const up: [number, number, number] = [0, -Math.cos(angle), -Math.sin(angle)];
    const one = annotationOn({
      ...line,
      points: [
        [0, 0, 1],
        [50, 0, 1],
      ],
      plane: { normal, up },
    });
    // Annotation as the imaging library records a drawing. Its position is that of the nearest slice.
    const byHand = {
      ...one,
      metadata: { ...one.metadata, toolName: 'Length', cameraFocalPoint: [0, 0, 3] },
    } as typeof one;
    const surface = planesThrough(volume);

    surface.straighten(byHand);
    byHand.data.handles?.points?.splice(0, 1, [0, 0, 2]);
    surface.straighten(byHand);

    const [first, second] = surface.drawnBy(byHand)?.points ?? [];
    const depthOf = ([, posterior, superior]: readonly number[] = []) =>
      (posterior ?? NaN) * normal[1] + (superior ?? NaN) * normal[2];
    expect(second).toEqual([50, 0, 1].map((part) => expect.closeTo(part, 9)));
    expect(depthOf(first)).toBeCloseTo(depthOf([50, 0, 1]), 9);
  },
);

test('the first handle of a stored drawing stays on its plane when the user moves it on another plane', () => {
  const surface = planesThrough(volume);
  const one = surface.annotationOf('m1', line, false);
  if (!one) throw new Error('It lies on planes of this volume');
  one.data.handles?.points?.splice(0, 1, [-25, 33, 0]);

  surface.straighten(one);

  expect(surface.drawnBy(one)?.points[0]).toEqual([-25, 30, 0]);
});

const read = { 'volumeId:volume-1?sliceIndex=3&viewPlaneNormal=0,-1,0': { mean: 300, modalityUnit: 'HU' } };

test.each([
  ['all slices are loaded', imageIds, false, ['AREA', 'MEAN']],
  ['a slice is missing', imageIds.slice(1), false, ['AREA']],
  ['the values belong to earlier points', imageIds, true, ['AREA']],
])('values of a region are stored only if complete and current: %s', (_, loaded, invalidated, quantities) => {
  const through = volumeWith(loaded);
  const one = Object.assign(annotationOn(ellipse, through), { invalidated });
  one.data.cachedStats = read;

  expect(
    planesThrough(through)
      .drawnBy(one)
      ?.values.map(({ quantity }) => quantity),
  ).toEqual(quantities);
});

test('values of an iodine map keep their unit when the volume is freed before they are saved', () => {
  const iodine = imageIdOf('2.25.1', '2.25.2', '2.25.3.9', 1);
  learnDensity(iodine, { [tag.RescaleType]: { vr: 'LO', Value: ['MGML'] } });
  const through = volumeWith([iodine], [iodine]);
  const one = Object.assign(annotationOn(ellipse, through), { invalidated: false });
  one.data.cachedStats = read;

  expect(planesThrough(through).drawnBy(one)?.values).toContainEqual({ quantity: 'MEAN', value: 300, unit: 'mg/ml' });
});

/** Text next to a drawing of a tool, with the values that the imaging library computed. */
const textOn = (through: Volume, toolName: string, drawing: Drawing): string[] => {
  const texts = new Map<string, (data: unknown) => string[]>();
  const group = {
    setToolConfiguration: (name: string, { getTextLines }: { getTextLines: (data: unknown) => string[] }) =>
      texts.set(name, getTextLines),
  };
  writeOnPlanes(group as unknown as Parameters<typeof writeOnPlanes>[0], through);
  return texts.get(toolName)?.(annotationOn(drawing).data) ?? [];
};

test('a region has no values of voxels while slices arrive, and says so', () => {
  const [first = '', second = ''] = imageIds;

  expect(textOn(volumeWith([first]), 'EllipticalROI', ellipse).at(-1)).toBe('Loading: values follow');
  expect(textOn(volumeWith([first], imageIds, [second]), 'EllipticalROI', ellipse).at(-1)).toBe(
    'No values: slices are missing',
  );
  expect(textOn(volume, 'EllipticalROI', ellipse).join()).not.toMatch(/values/);
  expect(textOn(volumeWith([first]), 'Length', line).join()).not.toMatch(/values/);
});
