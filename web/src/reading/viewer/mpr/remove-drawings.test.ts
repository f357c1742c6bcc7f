import { annotation } from '@cornerstonejs/tools';
import { afterEach, expect, test } from 'vitest';
import { type Annotation, annotationAt, type Drawing } from '#reading/viewer/measuring/drawn-annotation.ts';
import { removeDrawings } from './remove-drawings.ts';

const line: Drawing = {
  tool: 'LENGTH',
  seriesInstanceUID: '2.25.2',
  sopInstanceUID: null,
  frame: null,
  frameOfReferenceUID: '2.25.77',
  points: [
    [0, 0, 0],
    [50, 0, 0],
  ],
  plane: { normal: [0, -1, 0], up: [0, 0, 1] },
  label: '',
  values: [],
};

/** Draws an annotation. The tests mix tools, because the imaging library groups annotations by tool, not by order. */
const draw = (id: string, tool: Drawing['tool']) => {
  const one = annotationAt(id, { ...line, tool }, {}, false);
  if (one) annotation.state.addAnnotation(one, '');
};

const seeing =
  (...ids: string[]) =>
  ({ annotationUID = '' }: Annotation) =>
    ids.includes(annotationUID);

const remainingIds = () =>
  annotation.state
    .getAllAnnotations()
    .map(({ annotationUID = '' }) => annotationUID)
    .toSorted((one, other) => one.localeCompare(other));

afterEach(() => {
  annotation.locking.unlockAllAnnotations();
  annotation.selection.deselectAnnotation();
  annotation.state.removeAllAnnotations();
});

test('the command removes the selected measurement, not the last measurement', () => {
  draw('m1', 'LENGTH');
  draw('m2', 'LENGTH');
  annotation.selection.setAnnotationSelected('m1');

  removeDrawings({ isSeen: seeing('m1', 'm2'), inOrder: ['m1', 'm2'] });

  expect(remainingIds()).toEqual(['m2']);
});

test('the command removes nothing while the selected measurement is not visible', () => {
  draw('m1', 'LENGTH');
  draw('m2', 'LENGTH');
  annotation.selection.setAnnotationSelected('m1');

  removeDrawings({ isSeen: seeing('m2'), inOrder: ['m1', 'm2'] });

  expect(remainingIds()).toEqual(['m1', 'm2']);
});

test('without a selection, the command removes the last visible measurement, whatever its kind', () => {
  draw('m1', 'PROBE');
  draw('m2', 'LENGTH');
  draw('m3', 'ANGLE');
  draw('of a colleague', 'ELLIPSE');
  annotation.locking.setAnnotationLocked('of a colleague', true);

  removeDrawings({ isSeen: seeing('m1', 'm2', 'of a colleague'), inOrder: ['m2', 'm3', 'm1', 'of a colleague'] });

  expect(remainingIds()).toEqual(['m2', 'm3', 'of a colleague']);
});
