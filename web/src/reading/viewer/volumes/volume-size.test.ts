import { expect, test } from 'vitest';
import { reasonTooLarge } from './volume-size.ts';

const room = { bytes: 1536 * 2 ** 20, side: 2048 };
const chest = { bytes: 512 * 512 * 300 * 2, dimensions: [512, 512, 300] };

test('a volume that fits into memory is opened', () => {
  expect(reasonTooLarge(chest, room)).toBeUndefined();
});

test('a volume larger than the free memory is refused with both sizes', () => {
  expect(reasonTooLarge(chest, { ...room, bytes: 100 * 2 ** 20 })).toBe(
    'The volume needs 150 MB of memory. This device has 100 MB left for images.',
  );
});

test('a volume with a side too long for the graphics card is refused', () => {
  expect(reasonTooLarge({ bytes: 1, dimensions: [64, 64, 2100] }, room)).toBe(
    'The volume has 64 × 64 × 2100 voxels. The graphics card of this device allows at most 2048 per side.',
  );
});
