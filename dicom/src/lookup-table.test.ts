import { expect, test } from 'vitest';
import { alikePalette, colorInTable, lookupTableOf, valueInTable } from './lookup-table.ts';

const bytesOf = (...words: number[]) => new Uint8Array(Uint16Array.from(words).buffer);
const table = (descriptor: number[], bytes: Uint8Array, isSigned = false) =>
  lookupTableOf({ descriptor, data: { bytes }, isSigned });

test('the entries of a lookup table may be 16-bit values, bytes, or two bytes in a 16-bit value', () => {
  const expected = { first: 0, values: Uint16Array.of(1, 2, 3, 4), bits: 8 };

  expect(table([4, 0, 8], bytesOf(1, 2, 3, 4))).toEqual(expected);
  expect(table([4, 0, 8], Uint8Array.of(1, 2, 3, 4))).toEqual(expected);
  expect(lookupTableOf({ descriptor: [4, 0, 8], data: { numbers: [0x0201, 0x0403] }, isSigned: false })).toEqual(
    expected,
  );
});

test('a lookup table that declares too few bits has the bits of its entries', () => {
  const colors = table([4, 0, 8], bytesOf(0, 0x40ff, 0x80ff, 0xff00));
  const grays = table([3, 0, 8], bytesOf(0, 900, 1000));

  expect(colors && [0, 1, 2, 3].map((value) => colorInTable(colors, value))).toEqual([0, 0x40, 0x80, 0xff]);
  expect(grays?.bits).toBe(10);
});

test('zero entries of a lookup table mean 65,536, and a first value above 32,767 may be negative', () => {
  expect(table([0, 0, 16], bytesOf(...Array.from({ length: 65_536 }, (_, at) => at)))?.values[65_535]).toBe(65_535);
  expect(table([1, 65_000, 16], bytesOf(900), true)?.first).toBe(-536);
  expect(table([1, 65_000, 16], bytesOf(900))?.first).toBe(65_000);
});

test('the number of entries of a lookup table is unsigned, even if the file writes it signed', () => {
  const grays = table([40_000 - 65_536, -32_768, 16], bytesOf(...Array.from({ length: 40_000 }, (_, at) => at)), true);

  expect(grays?.values).toHaveLength(40_000);
  expect(grays && valueInTable(grays, 7000)).toBe(39_768);
});

test('values outside a lookup table get its first or last entry, and fractions are rounded down', () => {
  const grays = table([3, 10, 16], bytesOf(500, 600, 700));

  expect(grays && [0, 10, 11.9, 12, 99].map((value) => valueInTable(grays, value))).toEqual([500, 500, 600, 700, 700]);
});

test('a truncated lookup table, or a lookup table without bits, is invalid', () => {
  expect(table([9, 0, 16], bytesOf(1, 2))).toBeUndefined();
  expect(table([1, 0, 0], bytesOf(1))).toBeUndefined();
  expect(table([], bytesOf(1))).toBeUndefined();
});

test('a palette has as many bits as its brightest channel needs', () => {
  const [red, green, blue] = [51_200, 0, 200].map((value) => table([2, 0, 16], bytesOf(0, value)));
  if (!red || !green || !blue) throw new Error('They are tables');

  expect(alikePalette([red, green, blue]).map((one) => colorInTable(one, 1))).toEqual([200, 0, 0]);
});
