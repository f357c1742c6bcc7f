import type { Elements } from '@radwork/dicom/part10';

type Color = readonly [red: number, green: number, blue: number];

/** An image that some code once drew wrongly, and its correct picture. */
export type PictureCase = {
  name: string;
  elements: Elements;
  /** Stored values of 16 x 16 pixels. */
  stored: Int16Array | Uint16Array;
  /** Measured value = `slope` x stored value + `intercept`. */
  slope: number;
  intercept: number;
  /** Measured values that are black and white. Values between are in proportion (PS3.3 §C.11.2.1.3.2). */
  range: { lower: number; upper: number };
  /** Width and height of a pixel, relative to its shorter side. */
  shape: { wide: number; tall: number };
  /** Pixels that an overlay plane marks (PS3.3 §C.9.2). */
  marked?: readonly number[];
  /** Colors of stored values from `first` on (PS3.3 §C.7.6.19). */
  colors?: { first: number; colorOf: (value: number) => Color };
  /** Reason why dcmtk draws another picture. */
  otherInDcmtk?: string;
};

/** Columns and rows of each case. */
export const pictureSide = 16;

const count = pictureSide ** 2;
const square = { wide: 1, tall: 1 };
const exact = (lower: number, upper: number): Elements => ({
  WindowCenter: (lower + upper) / 2,
  WindowWidth: upper - lower,
  VOILUTFunction: 'LINEAR_EXACT',
});
const rescaled = (slope: number | undefined, intercept: number | undefined): Elements => ({
  RescaleSlope: slope,
  RescaleIntercept: intercept,
  RescaleType: undefined,
});
const bits = (isSigned: boolean): Elements => ({
  Rows: pictureSide,
  Columns: pictureSide,
  BitsAllocated: 16,
  BitsStored: 16,
  HighBit: 15,
  PixelRepresentation: isSigned ? 1 : 0,
});
const withoutWindow: Elements = { WindowCenter: undefined, WindowWidth: undefined };
const unsigned = (toStored: (index: number) => number) =>
  Uint16Array.from({ length: count }, (_, index) => toStored(index));
const signed = (toStored: (index: number) => number) =>
  Int16Array.from({ length: count }, (_, index) => toStored(index));

/**
 * Pixels marked by overlays in these cases. All are in the dark part of the ramp: in the bright part, rendered images
 * draw an overlay in black, but dcmtk draws it in white.
 */
const blocks = [50, 51, 66, 67, 105, 106, 121, 122];
const planeBit = 14;

const embeddedPlane: Elements = {
  '60020010 US': pictureSide,
  '60020011 US': pictureSide,
  '60020040 CS': 'G',
  '60020050 SS': [1, 1],
  '60020100 US': 16,
  '60020102 US': planeBit,
};

const firstColor = 192;
const colorOf = (value: number): Color => [value - firstColor, 40, 255 - 2 * (value - firstColor)];

/** Tables of 16 bits for the values from `firstColor` to 255. */
const supplementalPalette = (): Elements => {
  const table = (part: 0 | 1 | 2) =>
    Buffer.from(Uint16Array.from({ length: 256 - firstColor }, (_, at) => 257 * colorOf(firstColor + at)[part]).buffer);
  const channels = Object.entries({ Red: table(0), Green: table(1), Blue: table(2) });
  return Object.fromEntries(
    channels.flatMap(([channel, data]) => [
      [`${channel}PaletteColorLookupTableDescriptor`, [256 - firstColor, firstColor, 16]],
      [`${channel}PaletteColorLookupTableData`, data],
    ]),
  );
};

/**
 * Table of pictures with which tests compare the viewer, thumbnails, rendered images, key images and printed reports.
 */
export const pictureCases: readonly PictureCase[] = [
  {
    name: 'unsigned 16 bits above 32767',
    elements: { ...bits(false), ...rescaled(1, -1000), ...exact(0, 60_000) },
    stored: unsigned((index) => 257 * index),
    slope: 1,
    intercept: -1000,
    range: { lower: 0, upper: 60_000 },
    shape: square,
  },
  {
    name: 'padding of -32768 without a window',
    elements: { ...bits(true), ...rescaled(undefined, undefined), ...withoutWindow, PixelPaddingValue: -32_768 },
    stored: signed((index) => (index < count / 2 ? -32_768 : index - 100)),
    slope: 1,
    intercept: 0,
    range: { lower: 28, upper: 155 },
    shape: square,
  },
  {
    name: 'a range of padding without a window, rescaled',
    elements: {
      ...bits(false),
      ...rescaled(0.5, -20),
      ...withoutWindow,
      PixelPaddingValue: 65_535,
      PixelPaddingRangeLimit: 65_000,
    },
    stored: unsigned((index) => (index < count / 2 ? 65_000 + index : index)),
    slope: 0.5,
    intercept: -20,
    range: { lower: 44, upper: 107.5 },
    shape: square,
    otherInDcmtk: 'dcmtk does not read the limit of a padding range.',
  },
  {
    name: 'a rescale slope of zero',
    elements: { ...bits(true), ...rescaled(0, -1024), ...exact(-128, 128) },
    stored: signed((index) => index - 128),
    slope: 1,
    intercept: 0,
    range: { lower: -128, upper: 128 },
    shape: square,
  },
  {
    name: 'a map from 0 to 1 with its own window',
    elements: { ...bits(false), ...rescaled(1 / 256, 0), WindowCenter: 0.5, WindowWidth: 1 },
    stored: unsigned((index) => index),
    slope: 1 / 256,
    intercept: 0,
    range: { lower: 0, upper: 1 },
    shape: square,
    otherInDcmtk: 'dcmtk applies LINEAR (PS3.3 §C.11.2.1.2.1), which is black or white at a width of 1.',
  },
  {
    name: 'pixels that are twice as tall as wide',
    elements: { ...bits(false), ...rescaled(1, 0), ...exact(0, 256), PixelSpacing: [2, 1] },
    stored: unsigned((index) => index),
    slope: 1,
    intercept: 0,
    range: { lower: 0, upper: 256 },
    shape: { wide: 1, tall: 2 },
    otherInDcmtk: 'dcmtk keeps the size of the pixel matrix unless the caller scales.',
  },
  {
    name: 'pixels without a size that are twice as wide as tall',
    elements: {
      ...bits(false),
      ...rescaled(1, 0),
      ...exact(0, 256),
      PixelSpacing: undefined,
      PixelAspectRatio: [1, 2],
    },
    stored: unsigned((index) => index),
    slope: 1,
    intercept: 0,
    range: { lower: 0, upper: 256 },
    shape: { wide: 2, tall: 1 },
    otherInDcmtk: 'dcmtk keeps the size of the pixel matrix unless the caller scales.',
  },
  {
    name: 'an overlay plane in unused bits of the pixels',
    elements: { ...bits(false), BitsStored: 12, HighBit: 11, ...rescaled(1, 0), ...exact(0, 256), ...embeddedPlane },
    stored: unsigned((index) => index + (blocks.includes(index) ? 2 ** planeBit : 0)),
    slope: 1,
    intercept: 0,
    range: { lower: 0, upper: 256 },
    shape: square,
    marked: blocks,
  },
  {
    name: 'colors of a supplemental palette',
    elements: {
      ...bits(false),
      ...rescaled(1, -50),
      ...withoutWindow,
      PixelPresentation: 'COLOR',
      ...supplementalPalette(),
    },
    stored: unsigned((index) => index),
    slope: 1,
    intercept: -50,
    // Colors do not count in a window that is computed from the values.
    range: { lower: -50, upper: 141 },
    shape: square,
    colors: { first: firstColor, colorOf },
    otherInDcmtk: 'dcmtk draws no colors of a supplemental palette.',
  },
];

/** Returns the correct gray of each pixel, from 0 to 255, without overlay planes and colors. */
export const graysOf = ({ stored, slope, intercept, range: { lower, upper }, marked }: PictureCase): number[] =>
  Array.from(stored, (cell) => {
    const value = marked ? cell % 2 ** planeBit : cell;
    const share = (value * slope + intercept - lower) / (upper - lower);
    return Math.round(255 * Math.min(Math.max(share, 0), 1));
  });

/** Returns the correct color of each pixel of a rendered image, with overlay planes and colors. */
export const colorsOf = (one: PictureCase): Color[] => {
  const { stored, marked, colors } = one;
  return graysOf(one).map((gray, index): Color => {
    const value = stored[index] ?? 0;
    if (colors && value >= colors.first) return colors.colorOf(value);
    const drawn = marked?.includes(index) ? 255 : gray;
    return [drawn, drawn, drawn];
  });
};

/** The stored values as they are in the file. */
export const pixelDataOf = ({ stored }: PictureCase): Buffer =>
  Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
