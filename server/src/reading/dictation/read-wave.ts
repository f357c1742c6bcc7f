import { t } from '@radwork/contract/core/translate';
import { longestPhraseSeconds, phraseSampleRate, waveHeaderBytes } from '@radwork/contract/reading/dictation';
import { invalid } from '#core/http/problem.ts';

const notWave = () => invalid({ audio: t`The phrase is not a WAV file of 16 kHz with one channel` });

/**
 * Checks a phrase and returns its WAV file (RIFF WAVE, Multimedia Programming Interface 1.0). Accepts only 16-bit PCM
 * with one channel at 16 kHz, as the browser records it. So no other file goes through this server. Throws 422.
 */
export const readWave = (base64: string): Buffer => {
  const wave = Buffer.from(base64, 'base64');
  if (wave.length < waveHeaderBytes) throw notWave();
  const text = (from: number) => wave.toString('latin1', from, from + 4);
  const isWave = text(0) === 'RIFF' && text(8) === 'WAVE' && text(12) === 'fmt ' && text(36) === 'data';
  const [formatBytes, format, channels] = [wave.readUInt32LE(16), wave.readUInt16LE(20), wave.readUInt16LE(22)];
  const [rate, bits, dataBytes] = [wave.readUInt32LE(24), wave.readUInt16LE(34), wave.readUInt32LE(40)];
  const isPcm = formatBytes === 16 && format === 1 && channels === 1 && rate === phraseSampleRate && bits === 16;
  if (!isWave || !isPcm || dataBytes !== wave.length - waveHeaderBytes || dataBytes % 2 === 1) throw notWave();
  if (dataBytes === 0) throw invalid({ audio: t`The phrase is empty` });
  if (dataBytes > longestPhraseSeconds * phraseSampleRate * 2) {
    throw invalid({ audio: t`The phrase is longer than 30 seconds` });
  }
  return wave;
};

/** Returns a WAV file of silence, for tests of a connection. */
export const silentWave = (seconds: number): Buffer => {
  const dataBytes = Math.round(seconds * phraseSampleRate) * 2;
  const wave = Buffer.alloc(waveHeaderBytes + dataBytes);
  wave.write('RIFF', 0, 'latin1');
  wave.writeUInt32LE(36 + dataBytes, 4);
  wave.write('WAVEfmt ', 8, 'latin1');
  wave.writeUInt32LE(16, 16);
  wave.writeUInt16LE(1, 20);
  wave.writeUInt16LE(1, 22);
  wave.writeUInt32LE(phraseSampleRate, 24);
  wave.writeUInt32LE(phraseSampleRate * 2, 28);
  wave.writeUInt16LE(2, 32);
  wave.writeUInt16LE(16, 34);
  wave.write('data', 36, 'latin1');
  wave.writeUInt32LE(dataBytes, 40);
  return wave;
};
