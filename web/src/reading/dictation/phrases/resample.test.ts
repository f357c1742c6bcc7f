import { expect, test } from 'vitest';
import { createResampler } from './resample.ts';

const tone = (frequency: number, rate: number, seconds = 0.5) =>
  Float32Array.from({ length: rate * seconds }, (_, at) => 0.5 * Math.sin((2 * Math.PI * frequency * at) / rate));

const loudness = (samples: Float32Array) =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);

const resampled = (samples: Float32Array, from: number, piece: number) => {
  const resample = createResampler(from, 16_000);
  const parts: number[] = [];
  for (let at = 0; at < samples.length; at += piece) parts.push(...resample(samples.slice(at, at + piece)));
  return Float32Array.from(parts);
};

test.each([48_000, 44_100, 96_000, 22_050])('a tone of 1 kHz keeps its shape from %i to 16,000 Hz', (from) => {
  const output = resampled(tone(1000, from), from, 2048);

  expect(output.length).toBeGreaterThan(7900);
  expect(output.length).toBeLessThanOrEqual(8000);
  const expected = tone(1000, 16_000);
  // The first samples are the start of the filter.
  const error = Math.max(...output.slice(100).map((sample, at) => Math.abs(sample - (expected[at + 100] ?? 0))));
  expect(error).toBeLessThan(0.01);
});

test('a tone above the new limit is removed and does not appear as a lower tone', () => {
  const output = resampled(tone(12_000, 48_000), 48_000, 2048);

  expect(loudness(output.slice(100))).toBeLessThan(0.002);
});

test('the size of the pieces does not matter', () => {
  const samples = tone(440, 44_100);

  expect(resampled(samples, 44_100, 128)).toEqual(resampled(samples, 44_100, 5000));
});

test('samples with the right rate are unchanged', () => {
  const samples = tone(440, 16_000);

  expect(createResampler(16_000, 16_000)(samples)).toEqual(samples);
});
