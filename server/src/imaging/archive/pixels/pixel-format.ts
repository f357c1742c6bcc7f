import { t } from '@radwork/contract/core/translate';
import type { Color } from '@radwork/dicom/cielab';
import type { Shutter } from '@radwork/dicom/display-shutter';
import type { LookupTable, Palette } from '@radwork/dicom/lookup-table';
import type { OverlayPlane, PlaneBits } from '@radwork/dicom/overlay-planes';
import type { Codec } from '@radwork/dicom/transfer-syntax';
import type { ValueRange } from '@radwork/dicom/value-window';

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

/** Returns the format of an uncompressed CT image: unsigned, 12 bits stored in 16. */
export const grayOf12Bits = (rows: number, columns: number): PixelFormat => ({
  rows,
  columns,
  samplesPerPixel: 1,
  bitsAllocated: 16,
  bitsStored: 12,
  highBit: 11,
  isSigned: false,
  isFloat: false,
  isPlanar: false,
  photometricInterpretation: 'MONOCHROME2',
});

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
  padding?: ValueRange;
  /** The lowest stored value that is a color of the supplemental palette, and no gray. */
  firstColor?: number;
};

/** A frame to render, with all data that the rendering process needs. */
export type RenderJob = {
  /** The bytes of the frame: compressed with `codec`, or uncompressed in little endian. */
  frame: Uint8Array;
  codec: Codec;
  format: PixelFormat;
  appearance: Appearance;
  /** Red, green and blue tables of a palette image. */
  palette?: Palette;
  /** Tables of a grayscale image that shows its highest values in color (PS3.3 §C.7.6.19). */
  supplementalPalette?: Palette;
  /** Layers of the file over its pixels. */
  over?: OverPixels;
  /** Pixels that are not square: how often they are as wide and as tall as their shorter side. */
  shape?: PixelShape;
};

/** Shutters and overlay planes of one frame. */
export type OverPixels = {
  /** Outlines of the visible area, and the color of the rest (PS3.3 §C.7.6.11). */
  shutters: readonly Shutter[];
  shutterColor: Color;
  /** Group of the overlay plane that is a shutter: "6000" (PS3.3 §C.7.6.15). */
  shutterGroup: string | undefined;
  /** Overlay planes with their own data (PS3.3 §C.9.2). */
  planes: readonly PlaneBits[];
  /** Overlay planes in unused bits of the pixels. */
  planesInPixels: readonly OverlayPlane[];
};

export type PixelShape = { wide: number; tall: number };

/** A frame to decompress only. */
export type DecodeJob = Pick<RenderJob, 'frame' | 'codec' | 'format'>;

/** Pixels of a decompressed frame in little endian, and their encoding. */
export type DecodedFrame = { pixels: Uint8Array; format: PixelFormat };

/** Pixels of one byte (gray) or of three bytes (RGB). */
export type Picture = { columns: number; rows: number; channels: 1 | 3; pixels: Uint8Array; shape?: PixelShape };

const faultMessages = {
  compressedDamaged: () => t`The compressed image is damaged.`,
  damaged: () => t`The image is damaged.`,
  damagedTable: () => t`A lookup table of the image is damaged.`,
  decoderFailed: () => t`The image decoder failed.`,
  deepJpeg2000Color: () => t`JPEG 2000 color with more than 8 bits is not supported.`,
  incomplete: () => t`The image is incomplete.`,
  inseparableFrames: () => t`The frames of the image cannot be separated.`,
  noDecoders: () => t`The image decoders did not start.`,
  noPalette: () => t`The image has no palette.`,
  notDescribed: () => t`The file does not describe its image.`,
  otherSize: () => t`The compressed image has a different size than the file states.`,
  outsideImage: () => t`The viewport is outside the image.`,
  tooLarge: () => t`The image is too large to render.`,
  tooSlow: () => t`The compressed image would take too long to decode.`,
  unknownChannels: () => t`This number of color channels is not supported.`,
  unknownCompression: () => t`This compression is not supported.`,
  unknownDepth: () => t`This pixel depth is not supported.`,
} as const satisfies Record<string, () => string>;

/** The reason why a frame cannot be rendered. */
export type RenderFault = keyof typeof faultMessages;

/** A frame that cannot be rendered. The message contains nothing from the file. */
export class NotRenderable extends Error {
  override readonly name = 'NotRenderable';
  readonly fault: RenderFault;

  constructor(fault: RenderFault) {
    super(faultMessages[fault]());
    this.fault = fault;
  }

  /** The message in the language of the current call. Another call may have caused the error. */
  get reason(): string {
    return faultMessages[this.fault]();
  }
}
