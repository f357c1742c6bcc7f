import type { KeyImage } from '@radwork/contract/reading/key-images';
import { expect, test } from 'vitest';
import { thumbnailPath } from './thumbnail-path.ts';

const keyImage: KeyImage = {
  id: 'k1',
  seriesInstanceUID: '1.2',
  sopInstanceUID: '1.2.3',
  frame: 4,
  note: '',
  look: {
    window: { lower: -160, upper: 239 },
    isInverted: false,
    rotation: 0,
    isMirroredAcross: false,
    isMirroredDown: false,
    zoom: 1,
    pan: [0, 0],
  },
  revision: 1,
  author: { username: 'a', name: 'Dr A' },
  createdDate: '2026-11-22T10:00:00Z',
  isMine: true,
};

test('the thumbnail of a key image shows the marked frame in its window', () => {
  expect(thumbnailPath('1', keyImage, 'CT')).toBe(
    '/api/wado-rs/studies/1/series/1.2/instances/1.2.3/frames/4/rendered?viewport=160,160&window=40,400,linear',
  );
});

test('the thumbnail of a PET, which is windowed in SUV, or of a color image has no window', () => {
  const plain = '/api/wado-rs/studies/1/series/1.2/instances/1.2.3/frames/4/rendered?viewport=160,160';
  expect(thumbnailPath('1', keyImage, 'PT')).toBe(plain);
  expect(thumbnailPath('1', { ...keyImage, look: { ...keyImage.look, window: null } }, 'US')).toBe(plain);
});
