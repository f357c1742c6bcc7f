import { measurementTools } from '@radwork/contract/reading/measurements';
import { expect, test } from 'vitest';
import { annotationOf, type Drawing, drawnBy } from './drawn-annotation.ts';

const imageId = 'wadors:/api/wado-rs/studies/2.25.1/series/2.25.2/instances/2.25.3/frames/4';

const line: Drawing = {
  tool: 'LENGTH',
  seriesInstanceUID: '2.25.2',
  sopInstanceUID: '2.25.3',
  frame: 4,
  frameOfReferenceUID: '2.25.9',
  points: [
    [1.123456789, -2.5, 30],
    [11.25, -2.5, 30],
  ],
  plane: null,
  label: 'Nodule',
  values: [],
};

test.each(measurementTools.filter((tool) => tool !== 'SPHERE'))(
  'a restored %s appears at the saved position of the same frame',
  (tool) => {
    const drawn = { ...line, tool };

    const again = annotationOf('m1', drawn, imageId, true);

    expect(again).toMatchObject({ annotationUID: 'm1', isLocked: true, metadata: { referencedImageId: imageId } });
    expect(again && drawnBy(again)).toEqual(drawn);
  },
);

test('a measurement is saved with its values and their units', () => {
  const drawn = annotationOf('m1', { ...line, tool: 'ELLIPSE' }, imageId, false);
  if (!drawn) throw new Error('The ellipse is not drawn');
  drawn.data.cachedStats = {
    [`imageId:${imageId}`]: { area: 251.25, areaUnit: 'mm²', mean: -45.3, stdDev: 12, modalityUnit: 'HU' },
    'imageId:another': { area: 1 },
  };

  expect(drawnBy(drawn)?.values).toEqual([
    { quantity: 'AREA', value: 251.25, unit: 'mm²' },
    { quantity: 'MEAN', value: -45.3, unit: 'HU' },
    { quantity: 'STANDARD_DEVIATION', value: 12, unit: 'HU' },
  ]);
});

test('a measurement on an image without a frame of reference is saved without a frame of reference', () => {
  const drawn = annotationOf('m1', { ...line, frameOfReferenceUID: null }, imageId, false);

  expect(drawn && drawnBy(drawn)?.frameOfReferenceUID).toBeNull();
});

test('a drawing on an image outside the archive is not saved', () => {
  const drawn = annotationOf('m1', line, 'wadouri:elsewhere', false);

  expect(drawn && drawnBy(drawn)).toBeUndefined();
});
