import type { PixelFormat } from './pixel-format.ts';

/** A decompressed frame. `format` describes the pixels after decoding. */
export type Decoded = { pixels: Uint8Array; format: PixelFormat; hasBrokenDecoder: boolean };
