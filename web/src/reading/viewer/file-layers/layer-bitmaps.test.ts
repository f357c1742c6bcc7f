import { expect, test } from 'vitest';
import { bitmapOfColors } from './layer-bitmaps.ts';

const size = { rows: 1, columns: 4 };

test('values from the first color on have the colors of the palette, and grays stay transparent', () => {
  const tables: [Uint8Array, Uint8Array, Uint8Array] = [
    Uint8Array.of(10, 20),
    Uint8Array.of(30, 40),
    Uint8Array.of(50, 60),
  ];

  const colors = bitmapOfColors([299, 300, 301, 9000], { first: 300, tables }, size);

  expect([...(colors?.rgba ?? [])]).toEqual([0, 0, 0, 0, 10, 30, 50, 255, 20, 40, 60, 255, 20, 40, 60, 255]);
});

test('an image with only grays has no colors to draw', () => {
  const table = Uint8Array.of(1);

  expect(bitmapOfColors([1, 2, 3, 4], { first: 300, tables: [table, table, table] }, size)).toBeUndefined();
});
