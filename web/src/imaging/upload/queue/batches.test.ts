import { expect, test } from 'vitest';
import { batchLength } from './batches.ts';

const megabyte = 1024 * 1024;

test('a batch holds at most 50 files', () => {
  const sizes = Array.from({ length: 120 }, () => 1000);

  expect(batchLength(sizes)).toBe(50);
});

test('a batch holds at most 64 MB', () => {
  const sizes = [30, 30, 4, 1].map((size) => size * megabyte);

  expect(batchLength(sizes)).toBe(3);
});

test('a file larger than the limit of a batch is sent alone', () => {
  expect(batchLength([900 * megabyte, 1])).toBe(1);
  expect(batchLength([1, 900 * megabyte])).toBe(1);
});

test('the last files form a smaller batch, and without files the batch is empty', () => {
  expect(batchLength([10, 20])).toBe(2);
  expect(batchLength([])).toBe(0);
});
