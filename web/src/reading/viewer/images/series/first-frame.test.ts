import { expect, test } from 'vitest';
import { readFrame } from './first-frame.ts';

const grey = {
  rows: 1,
  columns: 3,
  bits: 16,
  isSigned: true,
  stored: { lower: -2048, upper: 2047 },
  slope: 1,
  intercept: 0,
  range: { lower: 0, upper: 1 },
} as const;

const answer = (numbers: readonly number[], tail = '\r\n--radwork--') => {
  const ascii = (text: string) => new TextEncoder().encode(text);
  const head = ascii('\r\n--radwork\r\nContent-Type: application/octet-stream\r\n\r\n');
  return new Uint8Array([...head, ...new Uint8Array(new Int16Array(numbers).buffer), ...ascii(tail)]);
};

test('the values of a frame are read from the only part of the answer', () => {
  expect([...(readFrame(answer([-5, 0, 2047]), grey)?.numbers ?? [])]).toEqual([-5, 0, 2047]);
});

test('an answer of unexpected length is left to the imaging library', () => {
  expect(readFrame(answer([1, 2]), grey)).toBeNull();
  expect(readFrame(answer([1, 2, 3, 4]), grey)).toBeNull();
  expect(readFrame(answer([1, 2, 3], ''), grey)).toBeNull();
});

test('values beyond the stored bits are left to the imaging library', () => {
  expect(readFrame(answer([1, 2048, 3]), grey)).toBeNull();
});
