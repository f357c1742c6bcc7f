import { expect, test } from 'vitest';
import { captionOf } from './key-image-html.ts';

const upright = {
  window: null,
  isInverted: false,
  rotation: 0,
  isMirroredAcross: false,
  isMirroredDown: false,
  zoom: 1,
  pan: [0, 0] as [number, number],
};

test.each([
  [{}, 'Nodule (series 2, image 5)'],
  [{ isMirroredAcross: true }, 'Nodule (series 2, image 5, mirrored)'],
  [{ isMirroredDown: true }, 'Nodule (series 2, image 5, mirrored, rotated)'],
  [{ isMirroredDown: true, rotation: 180 }, 'Nodule (series 2, image 5, mirrored)'],
  [{ isMirroredAcross: true, isMirroredDown: true }, 'Nodule (series 2, image 5, rotated)'],
  [{ isMirroredAcross: true, isMirroredDown: true, rotation: 180 }, 'Nodule (series 2, image 5)'],
  [{ rotation: 90, isInverted: true }, 'Nodule (series 2, image 5, rotated)'],
])('a caption names series and image and any rotation or mirroring: %j', (look, caption) => {
  expect(captionOf({ note: 'Nodule', look: { ...upright, ...look } }, { place: 'series 2, image 5' })).toBe(caption);
});

test('a key image without note and numbers has the caption "Key image"', () => {
  expect(captionOf({ note: '', look: upright }, { place: '' })).toBe('Key image');
});
