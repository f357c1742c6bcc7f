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
    const drawing = { ...line, tool };

    const again = annotationOf('m1', drawing, imageId, true);

    expect(again).toMatchObject({ annotationUID: 'm1', isLocked: true, metadata: { referencedImageId: imageId } });
    expect(again && drawnBy(again)).toEqual(drawing);
  },
);

test('a measurement is saved with its values and their units', () => {
  const ellipse = annotationOf('m1', { ...line, tool: 'ELLIPSE' }, imageId, false);
  if (!ellipse) throw new Error('The ellipse is not drawn');
  ellipse.data.cachedStats = {
    [`imageId:${imageId}`]: { area: 251.25, areaUnit: 'mm²', mean: -45.3, stdDev: 12, modalityUnit: 'HU' },
    'imageId:another': { area: 1 },
  };

  expect(drawnBy(ellipse)?.values).toEqual([
    { quantity: 'AREA', value: 251.25, unit: 'mm²' },
    { quantity: 'MEAN', value: -45.3, unit: 'HU' },
    { quantity: 'STANDARD_DEVIATION', value: 12, unit: 'HU' },
  ]);
});

test('a measurement on an image without a frame of reference is saved without a frame of reference', () => {
  const lineAnnotation = annotationOf('m1', { ...line, frameOfReferenceUID: null }, imageId, false);

  expect(lineAnnotation && drawnBy(lineAnnotation)?.frameOfReferenceUID).toBeNull();
});

test('a drawing on an image outside the archive is not saved', () => {
  const lineAnnotation = annotationOf('m1', line, 'wadouri:elsewhere', false);

  expect(lineAnnotation && drawnBy(lineAnnotation)).toBeUndefined();
});
