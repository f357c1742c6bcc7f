import { expect, test } from 'vitest';
import { encodeVarints, varintReader } from './varint.ts';

test('numbers are encoded and decoded, and small numbers need one byte', () => {
  const numbers = [0, 127, 128, 300, 2 ** 32, Number.MAX_SAFE_INTEGER];

  const bytes = encodeVarints(numbers);
  const next = varintReader(bytes);

  expect(numbers.map(next)).toEqual(numbers);
  expect(encodeVarints([127])).toHaveLength(1);
});

test('reading past the end of the encoded numbers throws an error', () => {
  expect(varintReader(Buffer.from([0x80]))).toThrow(RangeError);
});
