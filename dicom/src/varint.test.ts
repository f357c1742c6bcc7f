import { expect, test } from 'vitest';
import { encodeVarints, varintReader } from './varint.ts';

test('encodes and decodes numbers, small ones in one byte', () => {
  const numbers = [0, 127, 128, 300, 2 ** 32, Number.MAX_SAFE_INTEGER];

  const bytes = encodeVarints(numbers);
  const next = varintReader(bytes);

  expect(numbers.map(next)).toEqual(numbers);
  expect(encodeVarints([127])).toHaveLength(1);
});

test('throws when reading past the end', () => {
  expect(varintReader(Buffer.from([0x80]))).toThrow(RangeError);
});
