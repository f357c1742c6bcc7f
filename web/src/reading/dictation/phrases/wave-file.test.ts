import { expect, test } from 'vitest';
import { base64Of, waveFile } from './wave-file.ts';

test('samples become a WAV file of 16-bit PCM at 16 kHz, limited to full scale', () => {
  const bytes = waveFile(Float32Array.from([0, 1, -1, 2, 0.5]));

  const view = new DataView(bytes.buffer);
  const text = (at: number) => new TextDecoder().decode(bytes.slice(at, at + 4));
  expect([text(0), text(8), text(12), text(36)]).toEqual(['RIFF', 'WAVE', 'fmt ', 'data']);
  expect([view.getUint32(4, true), view.getUint32(24, true), view.getUint32(40, true)]).toEqual([46, 16_000, 10]);
  expect([0, 1, 2, 3, 4].map((at) => view.getInt16(44 + at * 2, true))).toEqual([0, 32_767, -32_767, 32_767, 16_384]);
});

test('a long file is converted to base64 without loss', () => {
  const bytes = Uint8Array.from({ length: 100_001 }, (_, at) => at % 256);

  expect(Buffer.from(base64Of(bytes), 'base64').equals(Buffer.from(bytes))).toBe(true);
});
