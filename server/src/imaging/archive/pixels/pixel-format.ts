import type { LookupTable } from '@radwork/dicom/lookup-table';
import type { Codec } from '@radwork/dicom/transfer-syntax';

/** Encoding of the pixels of a frame (PS3.3 §C.7.6.3). */
export type PixelFormat = {
  rows: number;
  columns: number;
  samplesPerPixel: number;
  bitsAllocated: number;
  bitsStored: number;
  highBit: number;
  isSigned: boolean;
  /** Floating point of 32 or 64 bits (PS3.3 §C.7.6.24). */
  isFloat: boolean;
  /** True when each color is a separate plane. Otherwise the colors of a pixel are adjacent. */
  isPlanar: boolean;
  photometricInterpretation: string;
};

/** Maps values to grays (PS3.3 §C.11.2.1.2 and §C.11.2.1.3). */
export type Window = { center: number; width: number; shape: 'linear' | 'linear-exact' | 'sigmoid' };

/** Maps stored values to grays (PS3.4 §N.2): first to modality values, then to brightness. */
export type Appearance = {
  slope: number;
  intercept: number;
  modalityLut?: LookupTable;
  /** Without a window or a table, a window is computed that shows nearly all values. */
  window?: Window;
  voiLut?: LookupTable;
  /** Range of stored values that mean "no pixel here". Both ends are included. */
  padding?: [lowest: number, highest: number];
};

/** A frame to render, with all data that the rendering process needs. */
export type RenderJob = {
  /** The bytes of the frame: compressed with `codec`, or uncompressed in little endian. */
  frame: Uint8Array;
  codec: Codec;
  format: PixelFormat;
  appearance: Appearance;
  /** Red, green and blue tables of a palette image. */
  palette?: [LookupTable, LookupTable, LookupTable];
};

/** A frame to decompress only. */
export type DecodeJob = Pick<RenderJob, 'frame' | 'codec' | 'format'>;

/** Pixels of a decompressed frame in little endian, and their encoding. */
export type DecodedFrame = { pixels: Uint8Array; format: PixelFormat };

/** Pixels of one byte (gray) or of three bytes (RGB). */
export type Picture = { columns: number; rows: number; channels: 1 | 3; pixels: Uint8Array };

/** Why a frame cannot be rendered. The message quotes nothing from the file. */
export class NotRenderable extends Error {
  override readonly name = 'NotRenderable';
}
