import { expect, test } from 'vitest';
import { bytesPerSecond, type Sample, sampled } from './transfer-rate.ts';

const after = (...samples: Sample[]) => samples.reduce<Sample[]>((known, sample) => sampled(known, sample), []);

test('the upload speed is the average of the last five seconds', () => {
  const samples = after({ at: 0, bytes: 0 }, { at: 4000, bytes: 1000 }, { at: 8000, bytes: 9000 });

  expect(bytesPerSecond(samples)).toBe(2000);
});

test('the upload speed is unknown for the first half second', () => {
  expect(bytesPerSecond([])).toBeUndefined();
  expect(bytesPerSecond(after({ at: 0, bytes: 0 }, { at: 100, bytes: 5_000_000 }))).toBeUndefined();
});

test('the upload speed does not become negative when a batch starts again', () => {
  const samples = after({ at: 0, bytes: 9000 }, { at: 1000, bytes: 2000 }, { at: 2000, bytes: 3000 });

  expect(bytesPerSecond(samples)).toBe(1000);
});
