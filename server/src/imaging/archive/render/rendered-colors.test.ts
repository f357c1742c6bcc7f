import sharp from 'sharp';
import { expect, test } from 'vitest';
import { getFrom } from '#test/archive-calls.ts';
import { asStored, colour, imageStorer, rampBytes, rgb, valuesOf } from '#test/rendered-images.ts';
import { createWorld } from '#test/world.ts';

const world = await createWorld();
const withImage = imageStorer(world);

const jpegBaseline = '1.2.840.10008.1.2.4.50';
const runLength = '1.2.840.10008.1.2.5';
const bigEndian = '1.2.840.10008.1.2.2';
const decoded = 'application/octet-stream; transfer-syntax=1.2.840.10008.1.2.1';

/** A JPEG of one color in YCbCr that does not declare its color space. */
const jpeg = await sharp({ create: { width: 16, height: 16, channels: 3, background: { r: 200, g: 30, b: 60 } } })
  .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
  .toBuffer();

/** Returns the same JPEG with an application segment at its start. */
const saying = (marker: number, ...content: number[]): Buffer => {
  const segment = Buffer.from([0xff, marker, 0, 2 + content.length, ...content]);
  return Buffer.concat([jpeg.subarray(0, 2), segment, jpeg.subarray(2)]);
};
const jfif = saying(0xe0, ...Buffer.from('JFIF\0'), 1, 1, 0, 0, 1, 0, 1, 0, 0);
const adobe = (...transform: number[]) => saying(0xee, ...Buffer.from('Adobe'), 0, 100, 0, 0, 0, 0, ...transform);

/** Returns the largest channel difference between the first pixel and a color. */
const distance = ([red = 0, green = 0, blue = 0]: Iterable<number>, [r = 0, g = 0, b = 0]: readonly number[]): number =>
  Math.max(Math.abs(red - r), Math.abs(green - g), Math.abs(blue - b));

test.each([
  ['a JFIF marker', jfif, true],
  ['Adobe', adobe(1), true],
  ['an Adobe marker that says RGB', adobe(0), false],
  ['a truncated Adobe marker', adobe(), false],
  ['no marker', jpeg, false],
])('a JPEG in an RGB file is read by its own color space: %s', async (_, stream, isYbr) => {
  const { person, instance } = await withImage(
    { ...colour, PlanarConfiguration: 0 },
    { transferSyntaxUID: jpegBaseline, pixelData: [stream] },
  );

  const renderedValues = await valuesOf(person, instance);
  const frame = await getFrom(person, `${instance}/frames/1`, { accept: decoded });

  // YCbCr values of (200, 30, 60). They are the result when a decoder does not convert them to RGB.
  const expected = isYbr ? [200, 30, 60] : [84, 114, 211];
  expect(distance(renderedValues, expected)).toBeLessThanOrEqual(2);
  expect(distance(frame.rawPayload, expected)).toBeLessThanOrEqual(2);
});

/** Encodes three planes as RLE (PS3.5 §G): a header of 64 bytes, then each plane as literal runs of 128 bytes. */
const runLengthOf = (planes: readonly number[][]): Buffer => {
  const segments = planes.map((plane) => {
    const runs = Array.from({ length: plane.length / 128 }, (_, run) => plane.slice(128 * run, 128 * run + 128));
    return runs.flatMap((bytes) => [127, ...bytes]);
  });
  const header = Buffer.alloc(64);
  header.writeUInt32LE(segments.length, 0);
  let at = 64;
  for (const [index, segment] of segments.entries()) {
    header.writeUInt32LE(at, 4 + 4 * index);
    at += segment.length;
  }
  return Buffer.concat([header, Buffer.from(segments.flat())]);
};

test('the color order of a decoded frame is as its metadata says', async () => {
  const planes = [0, 1, 2].map((channel) => rgb.map((pixel) => pixel[channel] ?? 0));
  const file = { transferSyntaxUID: runLength, pixelData: [runLengthOf(planes)] };
  const apart = await withImage({ ...colour, PlanarConfiguration: 1 }, file);
  const together = await withImage({ ...colour, PlanarConfiguration: 0 }, file);

  const frames = [apart, together].map(({ person, instance }) =>
    getFrom(person, `${instance}/frames/1`, { accept: decoded }),
  );

  expect((await Promise.all(frames)).map(({ rawPayload }) => [...rawPayload])).toEqual([planes.flat(), rgb.flat()]);
  expect(await valuesOf(apart.person, apart.instance)).toEqual(rgb.flat());
});

const paletteOf = (colorOf: readonly [Lookup, Lookup, Lookup]) => {
  const entries = Array.from({ length: 1024 }, (_, index) => index);
  const table = (lookup: Lookup) => Buffer.from(Uint16Array.from(entries, lookup).buffer);
  const [red, green, blue] = colorOf;
  return {
    PhotometricInterpretation: 'PALETTE COLOR',
    RedPaletteColorLookupTableDescriptor: [1024, 0, 16],
    GreenPaletteColorLookupTableDescriptor: [1024, 0, 16],
    BluePaletteColorLookupTableDescriptor: [1024, 0, 16],
    RedPaletteColorLookupTableData: table(red),
    GreenPaletteColorLookupTableData: table(green),
    BluePaletteColorLookupTableData: table(blue),
  };
};
type Lookup = (index: number) => number;

test('a palette channel with only dark values stays dark', async () => {
  const palette = paletteOf([(index) => Math.min(index, 255) << 8, () => 200, () => 0]);
  const { person, instance } = await withImage({ ...asStored, ...palette });

  const renderedValues = await valuesOf(person, instance);

  expect(renderedValues.slice(-3)).toEqual([255, 0, 0]);
});

test('a palette that declares 16 bits but has 8-bit values uses the full range', async () => {
  const palette = paletteOf([(index) => Math.min(index, 255), (index) => 255 - Math.min(index, 255), () => 77]);
  const { person, instance } = await withImage({ ...asStored, ...palette });

  expect(await valuesOf(person, instance)).toEqual(rgb.flat());
});

test('long values of a big-endian file are read and returned in little endian', async () => {
  const palette = paletteOf([
    (index) => Math.min(index, 255) << 8,
    (index) => (255 - Math.min(index, 255)) << 8,
    () => 77 << 8,
  ]);
  const { person, instance } = await withImage(
    { ...asStored, ...palette },
    { transferSyntaxUID: bigEndian, pixelData: rampBytes },
  );

  const bulk = await getFrom(person, `${instance}/bulkdata/00281201`, { accept: 'application/octet-stream' });
  const range = await getFrom(person, `${instance}/bulkdata/00281201`, {
    accept: 'application/octet-stream',
    range: 'bytes=3-6',
  });

  expect(bulk.rawPayload.equals(palette.RedPaletteColorLookupTableData)).toBe(true);
  expect(range.rawPayload.equals(palette.RedPaletteColorLookupTableData.subarray(3, 7))).toBe(true);
  expect(await valuesOf(person, instance)).toEqual(rgb.flat());
});

test.each([
  ['are unsigned', { PixelRepresentation: 0 }, 40_000, [39_000, 40_000, 40_512, 42_000]],
  ['are signed', { PixelRepresentation: 1 }, -512, [-1512, -512, 0, 1488]],
  [
    'are rescaled below zero',
    { PixelRepresentation: 0, RescaleSlope: 1, RescaleIntercept: -2000 },
    65_024,
    [488, 1488, 2000, 3488],
  ],
])('a gray lookup table starts at its first mapped value for pixels that %s', async (_, pixels, first, stored) => {
  const table = Buffer.from(Uint16Array.from({ length: 1024 }, (__, index) => index << 6).buffer);
  const values = Int32Array.from({ length: 256 }, (__, index) => stored[index % 4] ?? 0);
  const { person, instance } = await withImage(
    {
      ...asStored,
      ...pixels,
      BitsStored: 16,
      HighBit: 15,
      VOILUTSequence: [{ LUTDescriptor: [1024, first, 16], LUTData: table }],
    },
    { pixelData: Buffer.from(Uint16Array.from(values).buffer) },
  );

  const renderedValues = (await valuesOf(person, instance)).slice(0, 4);

  for (const [index, gray] of renderedValues.entries())
    expect(Math.abs(gray - ([0, 0, 128, 255][index] ?? 0))).toBeLessThan(2);
});

test.each([
  ['MONOCHROME2', 'INVERSE', [255, 0]],
  ['MONOCHROME1', 'INVERSE', [255, 0]],
  ['MONOCHROME2', 'IDENTITY', [0, 255]],
])('grays of %s with presentation shape %s are inverted at most once', async (interpretation, shape, expected) => {
  const { person, instance } = await withImage(
    { ...asStored, PhotometricInterpretation: interpretation, PresentationLUTShape: shape },
    { pixelData: rampBytes },
  );

  const renderedValues = await valuesOf(person, instance, '&window=128,256,linear');

  expect([renderedValues[0], renderedValues.at(-1)]).toEqual(expected);
});
