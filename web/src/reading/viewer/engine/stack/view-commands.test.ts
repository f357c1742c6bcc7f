import type { StackViewport } from '@cornerstonejs/core';
import { annotation } from '@cornerstonejs/tools';
import { afterEach, expect, test } from 'vitest';
import { imageIdOf } from '#reading/viewer/images/series/series-loader.ts';
import { annotationOf, type Drawing } from '#reading/viewer/measuring/drawn-annotation.ts';
import { removeMeasurement } from './view-commands.ts';

const line: Drawing = {
  tool: 'LENGTH',
  seriesInstanceUID: '2.25.2',
  sopInstanceUID: '2.25.3',
  frame: 1,
  frameOfReferenceUID: null,
  points: [
    [0, 0, 0],
    [10, 0, 0],
  ],
  plane: null,
  label: '',
  values: [],
};

const [shownId, other] = ['2.25.3', '2.25.4'].map((instance) => imageIdOf('2.25.1', '2.25.2', instance, 1));

/** Stack of both images. `requested` is requested and `drawnId` is on the screen. */
const stackShowing = (drawnId: string | undefined, requested = drawnId) =>
  ({
    getImageIds: () => [shownId, other],
    getCurrentImageId: () => requested,
    getCornerstoneImage: () => drawnId && { imageId: drawnId },
    render: () => {},
  }) as unknown as StackViewport;

const viewport = stackShowing(shownId);

const draw = (id: string, imageId = '') => {
  const one = annotationOf(id, line, imageId, false);
  if (one) annotation.state.addAnnotation(one, '');
};

const remainingIds = () => annotation.state.getAllAnnotations().map(({ annotationUID }) => annotationUID);

afterEach(() => {
  annotation.selection.deselectAnnotation();
  annotation.state.removeAllAnnotations();
});

test('the command deletes only measurements on the shown image', () => {
  draw('m1', shownId);
  draw('m2', other);

  removeMeasurement(viewport);
  expect(remainingIds()).toEqual(['m2']);

  removeMeasurement(viewport);
  expect(remainingIds()).toEqual(['m2']);
});

test('the command deletes nothing if the selected measurement is on another image', () => {
  draw('m1', shownId);
  draw('m2', other);
  annotation.selection.setAnnotationSelected('m2');

  removeMeasurement(viewport);

  expect(remainingIds()).toEqual(['m1', 'm2']);
});

test('the command deletes nothing while another image loads', () => {
  draw('m1', shownId);
  draw('m2', other);

  removeMeasurement(stackShowing(shownId, other));
  removeMeasurement(stackShowing(undefined, other));

  expect(remainingIds()).toEqual(['m1', 'm2']);
});
