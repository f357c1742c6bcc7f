import { BlobSource, BufferTarget, Conversion, Input, Mp4OutputFormat, MPEG_TS, Output } from 'mediabunny';

/**
 * Copies the packets of a transport stream into an MP4 file, without decoding them (decision 0073). Throws an error
 * that a stream cannot be read, or that it has no pictures.
 */
export const convertToMp4 = async (bytes: Blob, signal?: AbortSignal): Promise<Blob> => {
  const input = new Input({ source: new BlobSource(bytes), formats: [MPEG_TS] });
  const target = new BufferTarget();
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target });
  const conversion = await Conversion.init({ input, output, showWarnings: false });
  signal?.addEventListener('abort', () => void conversion.cancel());
  if (!conversion.utilizedTracks.some(({ type }) => type === 'video')) throw new Error('The stream has no pictures');
  await conversion.execute();
  if (!target.buffer) throw new Error('The stream could not be converted');
  return new Blob([target.buffer], { type: 'video/mp4' });
};
