import type { Codec } from '@radwork/dicom/transfer-syntax';
import { NotRenderable, type PixelFormat } from './picture.ts';

/** A frame without its compression. The format says what the decoder has left of it. */
export type Decoded = { pixels: Uint8Array; format: PixelFormat; hasBrokenDecoder: boolean };

/**
 * Decodes a frame. Throws NotRenderable where there is no decoder, and whatever a decoder throws: after that its memory is in
 * an unknown state, and the process must not decode anything else. Six refusals of one spoiled what came after them.
 */
export const decodeFrame = async (codec: Codec, frame: Uint8Array, format: PixelFormat): Promise<Decoded> => {
  if (codec === 'none') return { pixels: frame, format, hasBrokenDecoder: false };
  const { decompress } = await loadDecoders();
  return decompress(codec, frame, format);
};

/** Only now: they are 20 MB in memory, which a process that waits for work has no use for. */
const loadDecoders = () =>
  import('./decoders.ts').catch(() => {
    throw new NotRenderable('The decoders do not start.');
  });
