import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { getFrom, storeAs } from '#test/archive-calls.ts';
import { compressed } from '#test/compress-pixels.ts';
import { bitsOf, planeIn } from '#test/overlay-planes.ts';
import { asStored, colour, imageStorer, pixelsOf, rampBytes, rgb, upward, valuesOf } from '#test/rendered-images.ts';
import { createWorld } from '#test/world.ts';

const world = await createWorld();
const withImage = imageStorer(world);

const window = { WindowCenter: 128, WindowWidth: 256, VOILUTFunction: 'LINEAR_EXACT' };
const plain = { ...asStored, ...window };

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

test('an image with color tables stays gray if its PixelPresentation is MONOCHROME', async () => {
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
