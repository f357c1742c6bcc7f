import type { LookupTable } from '@radwork/dicom/lookup-table';
import type { Codec } from '@radwork/dicom/transfer-syntax';

/** How the pixels of a frame are encoded (PS3.3 §C.7.6.3). */
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
  /** The colours one plane after the other, instead of together for each pixel. */
  isPlanar: boolean;
  photometricInterpretation: string;
};

/** Which values become which greys (PS3.3 §C.11.2.1.2 and §C.11.2.1.3). */
export type Window = { center: number; width: number; shape: 'linear' | 'linear-exact' | 'sigmoid' };

/** How stored values become greys (PS3.4 §N.2): first values of the modality, then what of them is seen. */
export type Appearance = {
  slope: number;
  intercept: number;
  modalityLut?: LookupTable;
  /** Without a window and without a table, one that shows nearly all values is made. */
  window?: Window;
  voiLut?: LookupTable;
  /** Stored values that stand for "no pixel here", both ends included. */
  padding?: [lowest: number, highest: number];
};

/** One frame to be made a picture. All that it takes is in it, so that another process can do it. */
export type RenderJob = {
  /** Compressed as `codec` says, or uncompressed in little endian. */
  frame: Uint8Array;
  codec: Codec;
  format: PixelFormat;
  appearance: Appearance;
  /** Red, green and blue of a palette image. */
  palette?: [LookupTable, LookupTable, LookupTable];
};

/** One frame to be decompressed and no more. */
export type DecodeJob = Pick<RenderJob, 'frame' | 'codec' | 'format'>;

/** The pixels of one frame without compression, in little endian, and how they are encoded now. */
export type DecodedFrame = { pixels: Uint8Array; format: PixelFormat };

/** Pixels of one byte, grey, or of three, RGB. */
export type Picture = { columns: number; rows: number; channels: 1 | 3; pixels: Uint8Array };

/** Why a frame cannot be shown. The message holds nothing from the file. */
export class NotRenderable extends Error {
  override readonly name = 'NotRenderable';
}
