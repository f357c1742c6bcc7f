import { phraseSampleRate, waveHeaderBytes } from '@radwork/contract/reading/dictation';

/** Converts samples between -1 and 1 at 16 kHz to a WAV file of 16-bit PCM with one channel (RIFF WAVE). */
export const waveFile = (samples: Float32Array): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(waveHeaderBytes + samples.length * 2);
  const view = new DataView(bytes.buffer);
  const text = (at: number, words: string) => bytes.set(new TextEncoder().encode(words), at);
  text(0, 'RIFF');
  view.setUint32(4, bytes.length - 8, true);
  text(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, phraseSampleRate, true);
  view.setUint32(28, phraseSampleRate * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  text(36, 'data');
  view.setUint32(40, samples.length * 2, true);
  samples.forEach((sample, at) => {
    view.setInt16(waveHeaderBytes + at * 2, Math.round(Math.max(-1, Math.min(1, sample)) * 32_767), true);
  });
  return bytes;
};

/** Bytes to convert at once. More arguments could exceed the stack. */
const portion = 0x80_00;

/** Converts bytes to base64. */
export const base64Of = (bytes: Uint8Array): string => {
  let text = '';
  for (let at = 0; at < bytes.length; at += portion) text += String.fromCharCode(...bytes.subarray(at, at + portion));
  return btoa(text);
};
