import { h264TransportStream } from '@radwork/phantom/video';
import { expect, test } from 'vitest';
import { convertToMp4 } from './convert-to-mp4.ts';

const blobOf = (bytes: Buffer) => new Blob([new Uint8Array(bytes)]);

test('puts the pictures of a transport stream into an MP4 file without a change', async () => {
  const video = await convertToMp4(blobOf(h264TransportStream()));

  const bytes = Buffer.from(await video.arrayBuffer());
  expect(video.type).toBe('video/mp4');
  expect(bytes.toString('latin1', 4, 8)).toBe('ftyp');
  expect(bytes.includes('avc1')).toBe(true);
  // The sample size table lists ten frames (ISO 14496-12 §8.7.3.2).
  expect(bytes.readUInt32BE(bytes.indexOf('stsz') + 12)).toBe(10);
});

test('refuses a transport stream that is damaged', async () => {
  await expect(convertToMp4(blobOf(Buffer.from('G@..no-transport-stream')))).rejects.toThrow(/./);
});
