import type { PixelFormat } from './picture.ts';

/** A decompressed frame. `format` describes the pixels after decoding. */
export type Decoded = { pixels: Uint8Array; format: PixelFormat; hasBrokenDecoder: boolean };
