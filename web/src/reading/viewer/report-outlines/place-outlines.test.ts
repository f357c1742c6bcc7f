import { expect, test } from 'vitest';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import { outlinesOn } from './place-outlines.ts';
import type { ReportOutline } from './read-outlines.ts';

const image = (superior: number, frame = 1): SeriesImage => ({
  imageId: 'one',
  header: {
    '00080018': { vr: 'UI', Value: ['2.25.1'] },
    '00180050': { vr: 'DS', Value: [2] },
    '00200052': { vr: 'UI', Value: ['2.25.77'] },
    '00280010': { vr: 'US', Value: [64] },
    '00280011': { vr: 'US', Value: [64] },
    '00280030': { vr: 'DS', Value: [0.5, 2] },
  },
  frame,
  numberOfFrames: 1,
  instanceNumber: 1,
  plane: { position: [-10, -10, superior], along: [1, 0, 0], down: [0, 1, 0] },
});

const polygon: ReportOutline = {
  type: 'POLYGON',
  words: [],
  frameOfReference: '2.25.77',
  places: [
    [-10, -10, 5],
    [10, -10, 5],
    [-10, 0, 5],
  ],
};

test('an outline is drawn only on the frame to which it refers', () => {
  const point: ReportOutline = {
    type: 'POINT',
    words: [],
    images: new Map([['2.25.1', [2]]]),
    points: [{ x: 1, y: 2 }],
  };

  expect(outlinesOn(image(0, 2), [point])[0]?.graphic.points).toEqual([{ x: 1, y: 2, units: 'PIXEL' }]);
  expect(outlinesOn(image(0, 1), [point])).toEqual([]);
});

test('an outline in the patient is drawn on the slice in which it lies, and closed', () => {
  const [outline] = outlinesOn(image(5.5), [polygon]);

  // The center of the first pixel is at half a pixel. Columns are 2 mm apart and rows 0.5 mm.
  expect(outline?.graphic.points.map(({ x, y }) => [x, y])).toEqual([
    [0.5, 0.5],
    [10.5, 0.5],
    [0.5, 20.5],
    [0.5, 0.5],
  ]);
});

test('an outline in the patient is not drawn on other slices or in another frame of reference', () => {
  expect(outlinesOn(image(7), [polygon])).toEqual([]);
  expect(outlinesOn(image(5), [{ ...polygon, frameOfReference: '2.25.78' }])).toEqual([]);
});
