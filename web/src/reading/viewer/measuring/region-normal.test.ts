import { EllipticalROITool, PlanarFreehandROITool, RectangleROITool } from '@cornerstonejs/tools';
import { beforeAll, expect, test, vi } from 'vitest';
import { imageIdOf } from '#reading/viewer/images/series/series-loader.ts';
import { stackWithoutScreen } from '#test/stack-without-graphics.ts';
import { type Annotation, annotationOf, type Drawing } from './drawn-annotation.ts';
import { calibratedValues } from './measurement-text.ts';
import { regionNormal } from './region-normal.ts';

const ofTool = (tool: Drawing['tool'], ...points: [column: number, row: number][]): Drawing => ({
  tool,
  seriesInstanceUID: '2.25.2',
  sopInstanceUID: '2.25.3',
  frame: 1,
  frameOfReferenceUID: null,
  points: points.map(([column, row]) => [column, row, 0]),
  plane: null,
  label: '',
  values: [],
});

const ellipse = ofTool('ELLIPSE', [1.5, 3], [1.5, 0], [0, 1.5], [3, 1.5]);
const rectangle = ofTool('RECTANGLE', [0.6, 0.6], [2.4, 0.6], [0.6, 2.4], [2.4, 2.4]);
const outline = ofTool('FREEHAND', [0.6, 0.6], [2.4, 0.6], [2.4, 2.4], [0.6, 2.4]);

/** Private methods of the library's tools that compute values. They require an image on the screen. */
type Inside = {
  getTargetImageData: () => unknown;
  _calculateCachedStats: (one: Annotation, viewport: object, engine: object, element: object) => void;
};

// Defines `window.closed` as in a browser, because the outline tool of the library (5.14.0) reads it.
beforeAll(() => void vi.stubGlobal('closed', false));

test.each([
  [EllipticalROITool, ellipse],
  [RectangleROITool, rectangle],
  [PlanarFreehandROITool, outline],
])('a restored region has the same values as when it was drawn (%#)', async (Tool, drawing) => {
  const imageId = imageIdOf('2.25.1', '2.25.2', `2.25.3${drawing.points.length}${drawing.tool.length}`, 1);
  const viewport = await stackWithoutScreen([{ imageId, center: 8, width: 16 }]);
  const target = `imageId:${imageId}`;
  const again = annotationOf('m1', drawing, imageId, false);
  if (!again) throw new Error('A region can be drawn on an image');
  again.invalidated = false;
  again.data.cachedStats = { [target]: {} };

  const tool = new Tool() as unknown as Inside;
  tool.getTargetImageData = () => viewport.getImageData();
  tool._calculateCachedStats(again, viewport, {}, { viewport });

  // Pixel values count up from 0, four in a row, so the center contains 5, 6, 9 and 10.
  const values = calibratedValues({ cachedStats: { ...again.data.cachedStats } }, target);
  expect(values).toContainEqual({ quantity: 'MEAN', value: 7.5, unit: '' });
  expect(values).toContainEqual({ quantity: 'MAXIMUM', value: 10, unit: '' });
});

test('a drawn region stores the normal of its image, and a line stores none', () => {
  expect(regionNormal('ELLIPSE', ellipse.points)?.map(Math.abs)).toEqual([0, 0, 1]);
  expect(
    regionNormal('FREEHAND', [
      [0, 5, 0],
      [0, 5, 9],
      [8, 5, 0],
    ])?.map(Math.abs),
  ).toEqual([0, 1, 0]);
  expect(
    regionNormal('RECTANGLE', [
      [1, 1, 1],
      [1, 1, 1],
      [1, 1, 1],
      [1, 1, 1],
    ]),
  ).toBeUndefined();
  expect(regionNormal('LENGTH', ellipse.points)).toBeUndefined();
});
