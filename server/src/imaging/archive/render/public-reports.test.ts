import { expect, test } from 'vitest';
import { getFrom } from '#test/archive-calls.ts';
import { compressedColors } from '#test/compress-pixels.ts';
import { asStored, colour, imageStorer, rampBytes, rgb, upward, valuesOf } from '#test/rendered-images.ts';
import { createWorld } from '#test/world.ts';

/** Pictures of inputs after public reports about other systems. docs/public-reports.md lists the threads. */

const world = await createWorld();
const withImage = imageStorer(world);

const bigEndian = '1.2.840.10008.1.2.2';
const runLength = '1.2.840.10008.1.2.5';
const jpeg2000 = '1.2.840.10008.1.2.4.90';
const decoded = 'application/octet-stream; transfer-syntax=1.2.840.10008.1.2.1';
const flat = rgb.flat();

const ybrOf = ([r = 0, g = 0, b = 0]: readonly number[]): number[] =>
  [
    0.299 * r + 0.587 * g + 0.114 * b,
    128 - 0.168736 * r - 0.331264 * g + 0.5 * b,
    128 + 0.5 * r - 0.418688 * g - 0.081312 * b,
  ].map((value) => Math.min(255, Math.max(0, Math.round(value))));

const apart = (one: readonly number[], other: readonly number[]): number =>
  one.length === other.length
    ? Math.max(...one.map((value, index) => Math.abs(value - (other[index] ?? 0))))
    : Number.POSITIVE_INFINITY;

test.each([
  ['OB', {}, Buffer.from(flat)],
  ['OW', { '7FE00010 OW': Buffer.from(flat) }, null],
])('8-bit colors that a big-endian file stores as %s keep their order', async (_, elements, pixelData) => {
  const { person, instance } = await withImage(
    { ...colour, PlanarConfiguration: 0, ...elements },
    { transferSyntaxUID: bigEndian, pixelData },
  );
  const frame = await getFrom(person, `${instance}/frames/1`, { accept: decoded });
  expect(await valuesOf(person, instance)).toEqual(flat);
  expect([...frame.rawPayload]).toEqual(flat);
});

test('frames of an odd number of bytes are not shifted if a big-endian file stores them as OW', async () => {
  const frames = [
    [1, 2, 3],
    [4, 5, 6],
  ];
  const { person, instance } = await withImage(
    {
      ...asStored,
      Rows: 1,
      Columns: 3,
      NumberOfFrames: 2,
      BitsAllocated: 8,
      BitsStored: 8,
      HighBit: 7,
      '7FE00010 OW': Buffer.from(frames.flat()),
    },
    { transferSyntaxUID: bigEndian, pixelData: null },
  );
  for (const [index, expected] of frames.entries()) {
    const frame = await getFrom(person, `${instance}/frames/${index + 1}`, { accept: decoded });
    expect([...frame.rawPayload].slice(0, 3)).toEqual(expected);
  }
});

test('frames of an odd number of pixels do not drift', async () => {
  const pixels = Buffer.from(Array.from({ length: 27 }, (_, index) => 9 * index));
  const { person, instance } = await withImage(
    { ...asStored, Rows: 3, Columns: 3, NumberOfFrames: 3, BitsAllocated: 8, BitsStored: 8, HighBit: 7 },
    { pixelData: pixels },
  );
  for (const at of [0, 1, 2]) {
    const frame = await getFrom(person, `${instance}/frames/${at + 1}`, { accept: decoded });
    expect([...frame.rawPayload].slice(0, 9)).toEqual([...pixels.subarray(9 * at, 9 * at + 9)]);
  }
});

test('uncompressed YBR_FULL_422 shows its colors', async () => {
  const pairs = Array.from({ length: 128 }, (_, index) => [rgb[2 * index] ?? [], rgb[2 * index + 1] ?? []]);
  const pixelData = Buffer.from(
    pairs.flatMap(([one = [], other = []]) => {
      const [first, second] = [ybrOf(one), ybrOf(other)];
      return [first[0] ?? 0, second[0] ?? 0, first[1] ?? 0, first[2] ?? 0];
    }),
  );
  const { person, instance } = await withImage(
    { ...colour, PhotometricInterpretation: 'YBR_FULL_422', PlanarConfiguration: 0 },
    { pixelData },
  );
  expect(apart(await valuesOf(person, instance), flat)).toBeLessThanOrEqual(4);
});

test.each([0, 1])('uncompressed YBR_FULL with planar configuration %s shows its colors', async (planar) => {
  const pixels = rgb.map(ybrOf);
  const planes = [0, 1, 2].flatMap((channel) => pixels.map((pixel) => pixel[channel] ?? 0));
  const { person, instance } = await withImage(
    { ...colour, PhotometricInterpretation: 'YBR_FULL', PlanarConfiguration: planar },
    { pixelData: Buffer.from(planar === 1 ? planes : pixels.flat()) },
  );
  expect(apart(await valuesOf(person, instance), flat)).toBeLessThanOrEqual(2);
});

test.each([
  ['without a color transform', 0, rgb.map(([red = 0]) => [red, red, red])],
  ['with a color transform', 1, rgb.map(ybrOf)],
])('JPEG 2000 of YBR_FULL %s is shown in its colors', async (_, transform, samples) => {
  const stream = compressedColors(Buffer.from(samples.flat()), jpeg2000, 16, 16);
  // The eighth byte of the marker COD. Without the transform, the components of a gray are its value, 128 and 128.
  stream[stream.indexOf(Buffer.from([0xff, 0x52])) + 8] = transform;
  const { person, instance } = await withImage(
    { ...colour, PhotometricInterpretation: 'YBR_FULL', PlanarConfiguration: 0 },
    { transferSyntaxUID: jpeg2000, pixelData: [stream] },
  );
  const expected = transform === 1 ? flat : samples.flat();
  expect(apart(await valuesOf(person, instance), expected)).toBeLessThanOrEqual(2);
});

/** RLE segments, without the pad byte that makes their length even, and with a surplus byte at the end. */
const runLengthOf = (segments: readonly number[][]): Buffer => {
  const coded = segments.map((bytes) => {
    const runs: number[] = [];
    for (let at = 0; at < bytes.length; at += 128) {
      const run = bytes.slice(at, at + 128);
      runs.push(run.length - 1, ...run);
    }
    return [...runs, 0, 99];
  });
  const header = Buffer.alloc(64);
  header.writeUInt32LE(coded.length, 0);
  let at = 64;
  for (const [index, segment] of coded.entries()) {
    header.writeUInt32LE(at, 4 + 4 * index);
    at += segment.length;
  }
  return Buffer.concat([header, Buffer.from(coded.flat())]);
};

test.each([
  [15, 17],
  [16, 16],
])('RLE segments of odd length and with a surplus byte are decoded (%s x %s)', async (rows, columns) => {
  const values = Array.from({ length: rows * columns }, (_, index) => 3 * index);
  const frame = (shift: number) =>
    runLengthOf([values.map((value) => (value + shift) >> 8), values.map((value) => (value + shift) & 255)]);
  const { person, instance } = await withImage(
    { ...asStored, Rows: rows, Columns: columns, NumberOfFrames: 2 },
    { transferSyntaxUID: runLength, pixelData: [frame(0), frame(500)] },
  );
  for (const [index, shift] of [0, 500].entries()) {
    const answer = await getFrom(person, `${instance}/frames/${index + 1}`, { accept: decoded });
    const words = new Uint16Array(Uint8Array.from(answer.rawPayload).buffer);
    expect([...words]).toEqual(values.map((value) => value + shift));
  }
});

test.each([
  ['a width of zero', { WindowCenter: 100, WindowWidth: 0 }],
  ['an empty window', { WindowCenter: Buffer.alloc(0), WindowWidth: Buffer.alloc(0) }],
  ['an empty function', { WindowCenter: 128, WindowWidth: 256, VOILUTFunction: Buffer.alloc(0) }],
  ['several windows, the first complete', { WindowCenter: [128, 40], WindowWidth: [256, 80] }],
])('an image with %s shows its full range', async (_, window) => {
  const { person, instance } = await withImage({ ...asStored, ...window }, { pixelData: rampBytes });
  const renderedValues = await valuesOf(person, instance);
  expect(renderedValues[0]).toBeLessThanOrEqual(1);
  expect(renderedValues.at(-1)).toBeGreaterThanOrEqual(254);
});

test('an image of equal values is not shown as white', async () => {
  const { person, instance } = await withImage(asStored, { pixelData: Buffer.alloc(512) });
  expect(new Set(await valuesOf(person, instance))).not.toContain(255);
});

test('a rescale slope with a decimal comma applies to the picture', async () => {
  const { person, instance } = await withImage(
    { ...asStored, RescaleSlope: Buffer.from('0,5 '), RescaleIntercept: Buffer.from('10,5') },
    { pixelData: rampBytes },
  );
  const renderedValues = await valuesOf(person, instance, '&window=74,128,linear-exact');
  expect(apart(renderedValues, upward)).toBeLessThanOrEqual(1);
});

test('a frame whose functional groups are incomplete uses the values that all frames share', async () => {
  const { person, instance } = await withImage(
    {
      ...asStored,
      NumberOfFrames: 1,
      SharedFunctionalGroupsSequence: [
        {
          PixelValueTransformationSequence: [{ RescaleSlope: 0.5, RescaleIntercept: 10.5 }],
          FrameVOILUTSequence: [{ WindowCenter: 42, WindowWidth: 64, VOILUTFunction: 'LINEAR_EXACT' }],
        },
      ],
      PerFrameFunctionalGroupsSequence: [
        {
          PixelValueTransformationSequence: [{ RescaleType: 'US' }],
          FrameVOILUTSequence: [{ WindowCenterWidthExplanation: 'NORMAL' }],
        },
      ],
    },
    { pixelData: rampBytes },
  );
  expect(apart(await valuesOf(person, instance, '&window=74,128,linear-exact'), upward)).toBeLessThanOrEqual(1);
  const renderedValues = await valuesOf(person, instance);
  expect([renderedValues[0], renderedValues[130], renderedValues[255]]).toEqual([
    expect.toSatisfy((value: number) => value < 3),
    255,
    255,
  ]);
});

test.each([
  ['16 bits in a table that declares 8', 8, (value: number) => value << 8],
  ['8 bits in words', 8, (value: number) => value],
  ['16 bits with equal bytes', 16, (value: number) => 257 * value],
])('a palette of %s shows its colors', async (_, bits, entry) => {
  const table = (color: (index: number) => number) =>
    Buffer.from(Uint16Array.from({ length: 256 }, (__, index) => entry(color(index))).buffer);
  const { person, instance } = await withImage(
    {
      ...asStored,
      PhotometricInterpretation: 'PALETTE COLOR',
      RedPaletteColorLookupTableDescriptor: [256, 0, bits],
      GreenPaletteColorLookupTableDescriptor: [256, 0, bits],
      BluePaletteColorLookupTableDescriptor: [256, 0, bits],
      RedPaletteColorLookupTableData: table((index) => index),
      GreenPaletteColorLookupTableData: table((index) => 255 - index),
      BluePaletteColorLookupTableData: table(() => 77),
    },
    { pixelData: rampBytes },
  );
  expect(await valuesOf(person, instance)).toEqual(flat);
});

test('a palette of signed pixels starts at a negative value', async () => {
  const table = (color: (index: number) => number) =>
    Buffer.from(Uint16Array.from({ length: 256 }, (_, index) => 257 * color(index)).buffer);
  const { person, instance } = await withImage(
    {
      ...asStored,
      PixelRepresentation: 1,
      BitsStored: 16,
      HighBit: 15,
      PhotometricInterpretation: 'PALETTE COLOR',
      RedPaletteColorLookupTableDescriptor: [256, -128, 16],
      GreenPaletteColorLookupTableDescriptor: [256, -128, 16],
      BluePaletteColorLookupTableDescriptor: [256, -128, 16],
      RedPaletteColorLookupTableData: table((index) => index),
      GreenPaletteColorLookupTableData: table((index) => 255 - index),
      BluePaletteColorLookupTableData: table(() => 77),
    },
    { pixelData: Buffer.from(Int16Array.from({ length: 256 }, (_, index) => index - 128).buffer) },
  );
  expect(await valuesOf(person, instance)).toEqual(flat);
});
