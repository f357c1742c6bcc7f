import { expect, test } from 'vitest';
import { edgesOfPicture, edgesOfPlane, lettersOf, oppositeOf, sliceLocation } from './orientation.ts';

test('an axial slice as it comes has the patient’s right on the left and the face on top', () => {
  const edges = edgesOfPlane([1, 0, 0], [0, 1, 0]);

  expect(edges).toEqual({ left: 'R', right: 'L', top: 'A', bottom: 'P' });
});

test('a slice that was mirrored on the screen says so', () => {
  const edges = edgesOfPlane([-1, 0, 0], [0, 1, 0]);

  expect(edges).toMatchObject({ left: 'L', right: 'R' });
});

test('an oblique direction has two letters, the stronger first', () => {
  expect(lettersOf([0.8, -0.6, 0])).toBe('LA');
  expect(lettersOf([0.1, 0.99, 0])).toBe('P');
  expect(oppositeOf('LA')).toBe('RP');
});

test('a plain film says by itself where its rows and columns lead', () => {
  const asItComes = edgesOfPicture(['L', 'F'], [1, 0, 0], [0, 1, 0]);
  const turnedRight = edgesOfPicture(['L', 'F'], [0, -1, 0], [1, 0, 0]);

  expect(asItComes).toEqual({ left: 'R', right: 'L', top: 'H', bottom: 'F' });
  expect(turnedRight).toEqual({ left: 'F', right: 'H', top: 'R', bottom: 'L' });
});

test('a picture that does not say where its rows lead has no letters', () => {
  expect(edgesOfPicture([], [1, 0, 0], [0, 1, 0])).toBeUndefined();
  expect(edgesOfPicture(['', ''], [1, 0, 0], [0, 1, 0])).toBeUndefined();
});

test('a slice is located by the side of the origin it lies on', () => {
  const axial = { along: [1, 0, 0], down: [0, 1, 0] } as const;
  const sagittal = { along: [0, 1, 0], down: [0, 0, -1] } as const;

  expect(sliceLocation({ ...axial, position: [-180, -180, 42.5] })).toBe('H 42.5 mm');
  expect(sliceLocation({ ...axial, position: [-180, -180, -3] })).toBe('F 3.0 mm');
  expect(sliceLocation({ ...sagittal, position: [12, 0, 0] })).toBe('L 12.0 mm');
});
