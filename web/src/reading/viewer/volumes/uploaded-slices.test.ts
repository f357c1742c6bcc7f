import { expect, test } from 'vitest';
import { beginUploads, holdsSlice, noteUpload, slicesInTexture } from './uploaded-slices.ts';

const held = (texture: object): number[] => {
  const { expected, arrived } = slicesInTexture(texture);
  return Array.from({ length: expected }, (_, slice) => slice).filter(
    (slice) => ((arrived[slice >> 5] ?? 0) >> (slice & 31)) & 1,
  );
};

test('names the slices that the graphics card holds, until it holds all', () => {
  const texture = {};
  beginUploads(texture, 70);
  for (const slice of [0, 31, 32, 69, 31]) noteUpload(texture, slice);

  expect(slicesInTexture(texture).expected).toBe(70);
  expect(held(texture)).toEqual([0, 31, 32, 69]);
  expect([holdsSlice(texture, 31), holdsSlice(texture, 33)]).toEqual([true, false]);

  for (let slice = 0; slice < 70; slice += 1) noteUpload(texture, slice);
  expect(slicesInTexture(texture).expected).toBe(0);
});

test('a new texture holds no slice', () => {
  const texture = {};
  beginUploads(texture, 3);
  for (const slice of [0, 1, 2]) noteUpload(texture, slice);

  beginUploads(texture, 3);

  expect(slicesInTexture(texture).expected).toBe(3);
  expect(held(texture)).toEqual([]);
});

test('a volume of more slices than a shader can name shows none until it is whole', () => {
  const texture = {};
  beginUploads(texture, 5000);
  for (let slice = 0; slice < 4999; slice += 1) noteUpload(texture, slice);
  expect(held(texture)).toEqual([]);

  noteUpload(texture, 4999);

  expect(slicesInTexture(texture).expected).toBe(0);
});

test('a texture that is not filled slice by slice counts as whole', () => {
  expect(slicesInTexture({}).expected).toBe(0);
});
