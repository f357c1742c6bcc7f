import type { Codec } from '@radwork/dicom/transfer-syntax';
import type { Decoded } from './decoded-frame.ts';
import { NotRenderable, type PixelFormat } from './pixel-format.ts';

/**
 * Decodes a frame. Throws NotRenderable without a decoder, and every error of a decoder. After such an error the
 * decoder's memory is invalid, and the process must not decode another frame: in a test, six errors damaged later
 * images.
 */
export const decodeFrame = async (codec: Codec, frame: Uint8Array, format: PixelFormat): Promise<Decoded> => {
  if (codec === 'none') return { pixels: frame, format, hasBrokenDecoder: false };
  const { decompress } = await loadDecoders();
  return decompress(codec, frame, format);
};

/** Imports the decoders, which take 20 MB. Only a rendering process needs them. Throws NotRenderable. */
export const loadDecoders = () =>
  import('./decoders.ts').catch(() => {
    throw new NotRenderable('noDecoders');
  });
