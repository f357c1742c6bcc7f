import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { getFrom, storeAs } from '#test/archive-calls.ts';
import { compressed } from '#test/compress-pixels.ts';
import { asStored, colour, imageStorer, pixelsOf, rampBytes, rgb, upward, valuesOf } from '#test/rendered-images.ts';
import { createWorld } from '#test/world.ts';

const world = await createWorld();
const withImage = imageStorer(world);

const window = { WindowCenter: 128, WindowWidth: 256, VOILUTFunction: 'LINEAR_EXACT' };
const plain = { ...asStored, ...window };

/** Bits of a plane, bit 0 of a byte first (PS3.5 §8.1.1). */
const bitsOf = (count: number, marked: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(2 * Math.ceil(count / 16));
  for (const bit of marked) bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (1 << (bit & 7));
  return bytes;
};

type Plane = { rows?: number; columns?: number; type?: 'G' | 'R'; origin?: number[]; data?: Buffer };

const planeIn = (group: string, { rows = 16, columns = 16, type = 'G', origin = [1, 1], data }: Plane) => ({
  [`${group}0010 US`]: rows,
  [`${group}0011 US`]: columns,
  [`${group}0040 CS`]: type,
  [`${group}0050 SS`]: origin,
  [`${group}0100 US`]: 1,
  [`${group}0102 US`]: 0,
  ...(data && { [`${group}3000 OW`]: data }),
});

/** The grays of the ramp with some pixels drawn over: white, or black on a bright pixel. */
const drawnOver = (marked: readonly number[]): number[] =>
  upward.map((gray, index) => (marked.includes(index) ? (gray < 192 ? 255 : 0) : gray));

test('overlay planes of several groups are drawn over the pixels', async () => {
  const { person, instance } = await withImage(
    {
      ...plain,
      ...planeIn('6000', { data: bitsOf(256, [0, 17, 255]) }),
      // Row 1 and column 1 of this plane are pixel 3\5 of the image.
      ...planeIn('6002', { rows: 2, columns: 3, origin: [3, 5], data: bitsOf(6, [0, 5]) }),
    },
    { pixelData: rampBytes },
  );

  expect(await valuesOf(person, instance)).toEqual(drawnOver([0, 17, 255, 2 * 16 + 4, 3 * 16 + 6]));
});

test('the part of an overlay plane outside its image is not drawn', async () => {
  const all = bitsOf(16, [...Array(16).keys()]);
  const { person, instance } = await withImage(
    {
      ...plain,
      ...planeIn('6000', { rows: 4, columns: 4, origin: [-1, -1], data: all }),
      ...planeIn('6002', { rows: 4, columns: 4, origin: [15, 16], data: all }),
    },
    { pixelData: rampBytes },
  );

  expect(await valuesOf(person, instance)).toEqual(drawnOver([0, 1, 16, 17, 14 * 16 + 15, 15 * 16 + 15]));
});

test('an overlay plane in unused bits of the pixels is drawn', async () => {
  const marked = [3, 40, 200];
  const cells = Uint16Array.from({ length: 256 }, (_, index) => index | (marked.includes(index) ? 1 << 14 : 0));
  const plane = { ...planeIn('6004', {}), '60040100 US': 16, '60040102 US': 14, BitsStored: 12, HighBit: 11 };
  const { person, instance } = await withImage({ ...plain, ...plane }, { pixelData: Buffer.from(cells.buffer) });

  expect(await valuesOf(person, instance)).toEqual(drawnOver(marked));
});

test('the sign of compressed pixels is never drawn as an overlay plane', async () => {
  const syntax = '1.2.840.10008.1.2.4.70';
  const plane = { ...planeIn('6000', {}), '60000100 US': 16, '60000102 US': 14 };
  const { person, instance } = await withImage(
    { ...plain, BitsStored: 12, HighBit: 11, ...plane },
    { transferSyntaxUID: syntax, pixelData: [compressed(rampBytes, syntax, 16, 16)] },
  );

  expect(await valuesOf(person, instance)).toEqual(upward);
});

test('a region is drawn as an outline', async () => {
  const rows = [4, 5, 6, 7];
  const area = rows.flatMap((row) => [4, 5, 6, 7].map((column) => row * 16 + column));
  const inside = [5, 6].flatMap((row) => [row * 16 + 5, row * 16 + 6]);
  const { person, instance } = await withImage(
    { ...plain, ...planeIn('6000', { type: 'R', data: bitsOf(256, area) }) },
    { pixelData: rampBytes },
  );

  expect(await valuesOf(person, instance)).toEqual(drawnOver(area.filter((index) => !inside.includes(index))));
});

test('the frames of an overlay are drawn from the frame of the image at which they begin', async () => {
  // Frames of nine bits begin within a byte.
  const overlay = planeIn('6000', { rows: 3, columns: 3, data: bitsOf(18, [0, 1, 9 + 2]) });
  const { person, instance } = await withImage(
    { ...plain, NumberOfFrames: 4, ...overlay, '60000015 IS': 2, '60000051 US': 2 },
    { pixelData: Buffer.concat([rampBytes, rampBytes, rampBytes, rampBytes]) },
  );

  const frames = [1, 2, 3, 4].map((frame) => valuesOf(person, `${instance}/frames/${frame}`));

  expect(await Promise.all(frames)).toEqual([upward, drawnOver([0, 1]), drawnOver([2]), upward]);
});

test('a single overlay plane is drawn on all frames', async () => {
  const { person, instance } = await withImage(
    { ...plain, NumberOfFrames: 2, ...planeIn('6000', { data: bitsOf(256, [7]) }) },
    { pixelData: Buffer.concat([rampBytes, rampBytes]) },
  );

  expect(await valuesOf(person, `${instance}/frames/2`)).toEqual(drawnOver([7]));
});

test('an overlay plane that is cut short is drawn as far as it goes', async () => {
  const { person, instance } = await withImage(
    { ...plain, ...planeIn('6000', { data: bitsOf(32, [4, 20]) }) },
    { pixelData: rampBytes },
  );

  expect(await valuesOf(person, instance)).toEqual(drawnOver([4, 20]));
});

test('a thumbnail shows overlay planes', async () => {
  const { person, instance } = await withImage(
    { ...plain, ...planeIn('6000', { data: bitsOf(256, [0]) }) },
    { pixelData: rampBytes },
  );

  const { rawPayload } = await getFrom(person, `${instance}/thumbnail?viewport=16,16`, { accept: 'image/png' });

  expect((await pixelsOf(rawPayload)).pixels[0]).toBe(255);
});

test('overlay planes are drawn over colors', async () => {
  const { person, instance } = await withImage(
    { ...colour, PlanarConfiguration: 0, ...planeIn('6000', { data: bitsOf(256, [1]) }) },
    { pixelData: Buffer.from(rgb.flat()) },
  );

  const expected = rgb.map((pixel, index) => (index === 1 ? [255, 255, 255] : pixel));
  expect(await valuesOf(person, instance)).toEqual(expected.flat());
});

/** The grays of the ramp, with another gray where a pixel is not visible. */
const shuttered = (isVisible: (row: number, column: number) => boolean, gray = 0): number[] =>
  upward.map((own, index) => (isVisible(index >> 4, index & 15) ? own : gray));

const rectangular = {
  ShutterShape: 'RECTANGULAR',
  ShutterLeftVerticalEdge: 3,
  ShutterRightVerticalEdge: 10,
  ShutterUpperHorizontalEdge: 2,
  ShutterLowerHorizontalEdge: 12,
};
const isInRectangle = (row: number, column: number) => row >= 1 && row <= 11 && column >= 2 && column <= 9;

test('a rectangular shutter hides all outside its edges', async () => {
  const { person, instance } = await withImage({ ...plain, ...rectangular }, { pixelData: rampBytes });

  expect(await valuesOf(person, instance)).toEqual(shuttered(isInRectangle));
});

test('a circular shutter has the gray that its file names', async () => {
  const { person, instance } = await withImage(
    {
      ...plain,
      ShutterShape: 'CIRCULAR',
      CenterOfCircularShutter: [8, 9],
      RadiusOfCircularShutter: 4,
      ShutterPresentationValue: 0x8000,
    },
    { pixelData: rampBytes },
  );

  // At a distance of four, only the four pixels on the axes are touched by the edge.
  const renderedValues = await valuesOf(person, instance);
  const distance = (index: number) => Math.hypot((index >> 4) - 7, (index & 15) - 8);
  const clear = upward.map((_, index) => index).filter((index) => Math.abs(distance(index) - 4) > 0.01);
  const expected = shuttered((row, column) => Math.hypot(row - 7, column - 8) < 4, 128);
  expect(clear.map((index) => renderedValues[index])).toEqual(clear.map((index) => expected[index]));
});

test('several shutters hide all that any of them hides', async () => {
  // A triangle below the diagonal.
  const polygon = { VerticesOfThePolygonalShutter: [1, 1, 16, 1, 16, 16] };
  const { person, instance } = await withImage(
    { ...plain, ...rectangular, ShutterShape: ['RECTANGULAR', 'POLYGONAL'], ...polygon },
    { pixelData: rampBytes },
  );

  const renderedValues = await valuesOf(person, instance);
  const expected = shuttered((row, column) => isInRectangle(row, column) && column < row);
  const clear = upward.map((_, index) => index).filter((index) => index >> 4 !== (index & 15));
  expect(clear.map((index) => renderedValues[index])).toEqual(clear.map((index) => expected[index]));
});

/** Red of a screen in CIELab, as DICOM encodes it. */
const redInLab = [35_580, 53_665, 50_856];

test('a bitmap shutter hides the pixels that its overlay plane marks', async () => {
  const hidden = [0, 17, 200];
  const { person, instance } = await withImage(
    {
      ...plain,
      ShutterShape: 'BITMAP',
      ShutterOverlayGroup: 0x6002,
      ShutterPresentationValue: 0x4000,
      ...planeIn('6000', { data: bitsOf(256, [5, 17]) }),
      ...planeIn('6002', { type: 'R', data: bitsOf(256, hidden) }),
    },
    { pixelData: rampBytes },
  );

  const expected = shuttered((row, column) => !hidden.includes(16 * row + column), 64);
  for (const index of [5, 17]) expected[index] = 255;
  expect(await valuesOf(person, instance)).toEqual(expected);
});

test('a shutter has the color that its file names in CIELab', async () => {
  const { person, instance } = await withImage(
    { ...plain, ...rectangular, ShutterPresentationValue: 0x8000, ShutterPresentationColorCIELabValue: redInLab },
    { pixelData: rampBytes },
  );

  const expected = upward.flatMap((gray, index) =>
    isInRectangle(index >> 4, index & 15) ? [gray, gray, gray] : [255, 0, 0],
  );
  const values = await valuesOf(person, instance);
  expect(values).toHaveLength(expected.length);
  expect(Math.max(...values.map((value, at) => Math.abs(value - (expected[at] ?? Number.NaN))))).toBeLessThan(4);
});

test('an overlay plane is drawn over a shutter', async () => {
  const { person, instance } = await withImage(
    { ...plain, ...rectangular, ...planeIn('6000', { data: bitsOf(256, [255]) }) },
    { pixelData: rampBytes },
  );

  const expected = shuttered(isInRectangle);
  expected[255] = 255;
  expect(await valuesOf(person, instance)).toEqual(expected);
});

const words = (colorOf: (entry: number) => number) =>
  Buffer.from(Uint16Array.from({ length: 56 }, (_, entry) => colorOf(entry) * 257).buffer);

const supplemental = {
  PixelPresentation: 'COLOR',
  RedPaletteColorLookupTableDescriptor: [56, 200, 16],
  GreenPaletteColorLookupTableDescriptor: [56, 200, 16],
  BluePaletteColorLookupTableDescriptor: [56, 200, 16],
  RedPaletteColorLookupTableData: words((entry) => entry),
  GreenPaletteColorLookupTableData: words(() => 9),
  BluePaletteColorLookupTableData: words((entry) => 255 - entry),
};
const supplemented = upward.map((gray, value) =>
  value < 200 ? [gray, gray, gray] : [value - 200, 9, 255 - (value - 200)],
);

test('values above the grays have the colors of the supplemental palette', async () => {
  const { person, instance } = await withImage({ ...plain, ...supplemental }, { pixelData: rampBytes });

  expect(await valuesOf(person, instance)).toEqual(supplemented.flat());
});

test('the values that are colors do not count in a computed window', async () => {
  const few = Uint16Array.from({ length: 256 }, (_, index) => (index < 128 ? index : 60_000));
  const { person, instance } = await withImage(
    {
      ...asStored,
      BitsStored: 16,
      HighBit: 15,
      ...supplemental,
      RedPaletteColorLookupTableDescriptor: [56, 50_000, 16],
      GreenPaletteColorLookupTableDescriptor: [56, 50_000, 16],
      BluePaletteColorLookupTableDescriptor: [56, 50_000, 16],
    },
    { pixelData: Buffer.from(few.buffer) },
  );

  const renderedValues = await valuesOf(person, instance);

  expect(renderedValues.slice(3 * 126, 3 * 127)).toEqual([253, 253, 253]);
});

test('color tables without the word for them leave an image gray', async () => {
  const { person, instance } = await withImage(
    { ...plain, ...supplemental, PixelPresentation: 'MONOCHROME' },
    { pixelData: rampBytes },
  );

  expect(await valuesOf(person, instance)).toEqual(upward);
});

const cases = resolve(import.meta.dirname, '../../../../../../shared/cases/viewer');
const because = existsSync(cases) ? '' : ' (skipped: ../shared/cases is not here)';

test.skipIf(because !== '')(`cases of public reports are drawn with overlays and colors${because}`, async () => {
  const person = await world.signIn();
  const rendered = async (name: string) => {
    const bytes = readFileSync(`${cases}/${name}.dcm`);
    await storeAs(person, { name, bytes });
    const results = (
      await person.request({ method: 'GET', url: `/api/qido-rs/instances?AccessionNumber=${name}` })
    ).json();
    const [study, series, instance] = ['0020000D', '0020000E', '00080018'].map((tag) => results[0][tag].Value[0]);
    const path = `/studies/${study}/series/${series}/instances/${instance}`;
    return pixelsOf((await getFrom(person, `${path}/rendered`, { accept: 'image/png' })).rawPayload);
  };

  const page = await rendered('overlay-page');
  const embedded = await rendered('overlay-embedded');
  const palette = await rendered('palette-suppl');

  expect(page.pixels.filter((gray) => gray === 255).length).toBeGreaterThan(100);
  expect(new Set(embedded.pixels).size).toBeGreaterThan(1);
  expect(palette.channels).toBe(3);
});
