import { expect, test } from 'vitest';
import { edgesOfPicture, edgesOfPlane, lettersOf, oppositeOf, sliceLocation } from './orientation.ts';

test('an axial slice without rotation has R on the left and A on top', () => {
  const edges = edgesOfPlane([1, 0, 0], [0, 1, 0]);

  expect(edges).toEqual({ left: 'R', right: 'L', top: 'A', bottom: 'P' });
});

test('a mirrored slice has mirrored letters', () => {
  const edges = edgesOfPlane([-1, 0, 0], [0, 1, 0]);

  expect(edges).toMatchObject({ left: 'L', right: 'R' });
});

test('an oblique direction has two letters, the stronger first', () => {
  expect(lettersOf([0.8, -0.6, 0])).toBe('LA');
  expect(lettersOf([0.1, 0.99, 0])).toBe('P');
  expect(oppositeOf('LA')).toBe('RP');
});

test('the letters of a radiograph come from the directions of its rows and columns', () => {
  const asItComes = edgesOfPicture(['L', 'F'], [1, 0, 0], [0, 1, 0]);
  const turnedRight = edgesOfPicture(['L', 'F'], [0, -1, 0], [1, 0, 0]);

  expect(asItComes).toEqual({ left: 'R', right: 'L', top: 'H', bottom: 'F' });
  expect(turnedRight).toEqual({ left: 'F', right: 'H', top: 'R', bottom: 'L' });
});

test('an image without row directions has no letters', () => {
  expect(edgesOfPicture([], [1, 0, 0], [0, 1, 0])).toBeUndefined();
  expect(edgesOfPicture(['', ''], [1, 0, 0], [0, 1, 0])).toBeUndefined();
});

test('the location of a slice is named by its side of the origin', () => {
  const axial = { along: [1, 0, 0], down: [0, 1, 0] } as const;
  const sagittal = { along: [0, 1, 0], down: [0, 0, -1] } as const;

  expect(sliceLocation({ ...axial, position: [-180, -180, 42.5] })).toBe('H 42.5 mm');
  expect(sliceLocation({ ...axial, position: [-180, -180, -3] })).toBe('F 3.0 mm');
  expect(sliceLocation({ ...sagittal, position: [12, 0, 0] })).toBe('L 12.0 mm');
});
