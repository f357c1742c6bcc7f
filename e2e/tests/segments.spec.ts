import { expect, type Page, test } from '@playwright/test';
import { readHeader } from '@radwork/dicom/header';
import { binarySegmentation, ctVolume, fractionalSegmentation, structureSet } from '@radwork/phantom/studies';
import { ctTruth, markedTruth, pixelOf, type Plane, sliceThrough } from '@radwork/phantom/known-values';
import { complaintsOf, signIn, violations } from '../src/steps.ts';
import { drag, openViewer, type Point, scrollTo, upload } from '../src/viewer-steps.ts';

const patient = {
  PatientName: 'Segment^Sophie',
  PatientID: 'E2E-SEGMENT',
  PatientBirthDate: '19610203',
  PatientSex: 'F',
} as const;
/** Odd numbers of rows and columns, so that frames of single bits do not start at whole bytes. */
const options = {
  seed: 'segments',
  patient,
  studyDate: '20261112',
  accessionNumber: 'SEGMENTS',
  slices: 20,
  size: 95,
};
const planes = ctTruth.planes(options);

const sphere = (name: string) => {
  const match = ctTruth.spheres.find((one) => one.name === name);
  if (!match) throw new Error(`There is no ${name}`);
  return match;
};

type Layer = {
  width: number;
  height: number;
  at: (point: Point) => [red: number, green: number, blue: number, alpha: number];
};

/** Pixels drawn over the first image, once two readings agree. */
const layerOn = async (page: Page): Promise<Layer> => {
  let last = '';
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const reading = await page
      .getByTestId('segments')
      .first()
      .evaluate((canvas) => {
        if (!(canvas instanceof HTMLCanvasElement) || canvas.dataset['state'] !== 'there') return undefined;
        const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
        copy?.drawImage(canvas, 0, 0);
        const pixels = copy?.getImageData(0, 0, canvas.width, canvas.height).data;
        if (!pixels) return undefined;
        let binary = '';
        for (let i = 0; i < pixels.length; i += 32_768)
          binary += String.fromCharCode(...pixels.subarray(i, i + 32_768));
        return { width: canvas.width, height: canvas.height, base64: btoa(binary) };
      });
    if (reading && reading.base64 === last) {
      const { width, height } = reading;
      const rgba = Buffer.from(reading.base64, 'base64');
      const at = ({ x, y }: Point): [number, number, number, number] => {
        const index = (Math.floor(y) * width + Math.floor(x)) * 4;
        return [rgba[index] ?? 0, rgba[index + 1] ?? 0, rgba[index + 2] ?? 0, rgba[index + 3] ?? 0];
      };
      return { width, height, at };
    }
    last = reading?.base64 ?? '';
    await page.waitForTimeout(200);
  }
  throw new Error('The layer never settled');
};

/** Maps a position on the default view to the transformed view. */
type Turn = (point: Point, layer: Layer) => Point;
const asIs: Turn = (point) => point;

/** Position of an image pixel on a layer: the image is fitted and centered. */
const placeOn = (layer: Layer, plane: Plane) => {
  const scale = Math.min(layer.width / plane.columns, layer.height / plane.rows);
  return {
    scale,
    of: ({ row, column }: { row: number; column: number }): Point => ({
      x: layer.width / 2 + (column - (plane.columns - 1) / 2) * scale,
      y: layer.height / 2 + (row - (plane.rows - 1) / 2) * scale,
    }),
  };
};

type Expected = { name: string; colour: readonly number[]; plane: Plane; turn?: Turn; enlarged?: number };

/**
 * Expects exactly one disc of the color on the layer. Its position and size must match the cross-section. Searches
 * every pixel, so that a second disc, mirrored or shifted, fails.
 */
const expectDisc = (layer: Layer, { name, colour, plane, turn = asIs, enlarged = 1 }: Expected) => {
  const { centre, radius } = sphere(name);
  const { row, column, distance } = pixelOf(centre, plane);
  const place = placeOn(layer, plane);
  const middle = turn(place.of({ row, column }), layer);
  const expected = (Math.sqrt(radius ** 2 - distance ** 2) / plane.pixelSpacing) * place.scale * enlarged;
  let [count, x, y] = [0, 0, 0];
  for (let down = 0; down < layer.height; down += 1) {
    for (let across = 0; across < layer.width; across += 1) {
      const [red, green, blue, alpha] = layer.at({ x: across, y: down });
      const isIt = alpha > 40 && [red, green, blue].every((part, index) => Math.abs(part - (colour[index] ?? 0)) < 12);
      if (!isIt) continue;
      count += 1;
      x += across + 0.5;
      y += down + 0.5;
    }
  }
  expect(count, `${name} is drawn`).toBeGreaterThan(0);
  expect(Math.abs(x / count - middle.x), `${name}: middle across`).toBeLessThan(place.scale * 0.6);
  expect(Math.abs(y / count - middle.y), `${name}: middle down`).toBeLessThan(place.scale * 0.6);
  expect(Math.abs(count / (Math.PI * expected ** 2) - 1), `${name}: area`).toBeLessThan(0.12);
};

/** Checks whether a color is anywhere on the layer. */
const has = (layer: Layer, colour: readonly number[]): boolean => {
  for (let y = 0; y < layer.height; y += 1) {
    for (let x = 0; x < layer.width; x += 1) {
      const [red, green, blue, alpha] = layer.at({ x, y });
      if (alpha > 200 && [red, green, blue].every((part, at) => Math.abs(part - (colour[at] ?? 0)) < 6)) return true;
    }
  }
  return false;
};

const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};
const list = (page: Page) => page.getByRole('region', { name: 'Segments' });
const sliceOf = (name: string): { slice: number; plane: Plane } => {
  const slice = sliceThrough(sphere(name).centre, planes);
  const plane = planes[slice];
  if (!plane) throw new Error('The ball lies in no slice');
  return { slice, plane };
};
const [nodule, cyst] = markedTruth.binary;
const [metastasis, granuloma] = markedTruth.outlined;

const open = async (page: Page, files: readonly { bytes: Buffer }[]) => {
  await signIn(page, 'radiologist');
  await upload(page, files);
  await openViewer(page, files[0] ? readHeader(files[0].bytes).studyInstanceUID : '');
};

test('segments have their position in the patient and keep it in any view', async ({ page }) => {
  const complaints = complaintsOf(page);
  await open(page, [
    ...ctVolume(options),
    binarySegmentation(options),
    fractionalSegmentation(options),
    structureSet(options),
  ]);

  await test.step('no segment is drawn by default, and the list shows which segments are available', async () => {
    await expect(page.getByTestId('segments')).toHaveCount(0);
    await press(page, 'k');
    await expect(list(page).getByText('6 segments available, not shown.')).toBeVisible();
    await press(page, ',', 's');
    await expect(list(page).getByRole('button', { name: 'Show segments on the images' })).toHaveAttribute(
      'aria-pressed',
      'true',
    );
    await list(page).getByRole('button', { name: 'Fill', exact: true }).click();
    expect(await violations(page)).toEqual([]);
  });

  await test.step('each sphere of each kind has its position and color', async () => {
    for (const { name, colour } of [nodule, cyst, metastasis, granuloma]) {
      const { slice, plane } = sliceOf(name);
      await scrollTo(page, slice + 1);
      expectDisc(await layerOn(page), { name, colour, plane });
    }
  });

  await test.step('segments are mirrored, rotated, zoomed and panned with the image', async () => {
    const { name, colour } = nodule;
    const { slice, plane } = sliceOf(name);
    await scrollTo(page, slice + 1);
    await press(page, 'h');
    const mirrored: Turn = ({ x, y }, { width }) => ({ x: width - x, y });
    expectDisc(await layerOn(page), { name, colour, plane, turn: mirrored });
    await press(page, 'r', 'o');
    const turned: Turn = ({ x, y }, { width, height }) => ({
      x: width / 2 - (y - height / 2),
      y: height / 2 + (x - width / 2),
    });
    expectDisc(await layerOn(page), { name, colour, plane, turn: turned });
    await press(page, 'r', 'p');
    const { width, height } = await layerOn(page);
    await drag(page, { x: width / 2, y: height / 2 }, { x: width / 2 + 70, y: height / 2 - 45 });
    const moved: Turn = ({ x, y }) => ({ x: x + 70, y: y - 45 });
    expectDisc(await layerOn(page), { name, colour, plane, turn: moved });
    await press(page, 'r');
  });

  await test.step('a fractional segment on a grid with reversed order has the right position', async () => {
    const { name } = markedTruth.fractional;
    const { slice, plane } = sliceOf(name);
    await scrollTo(page, slice + 1);
    await list(page).getByRole('button', { name: 'Outline', exact: true }).click();
    const { centre, radius } = sphere(name);
    const layer = await layerOn(page);
    const place = placeOn(layer, plane);
    const { row, column } = pixelOf(centre, plane);
    const middle = place.of({ row, column });
    const bounds = boundsOf(layer, middle);
    const expected = (radius / plane.pixelSpacing) * place.scale;
    // The grid has pixels of 2.5 mm; its nearest frame is up to 2 mm from the image.
    const tolerance = (2.5 / plane.pixelSpacing) * place.scale;
    expect(Math.abs(bounds.left - (middle.x - expected))).toBeLessThan(tolerance);
    expect(Math.abs(bounds.right - (middle.x + expected))).toBeLessThan(tolerance);
    expect(Math.abs(bounds.top - (middle.y - expected))).toBeLessThan(tolerance);
    expect(Math.abs(bounds.bottom - (middle.y + expected))).toBeLessThan(tolerance);
  });

  await test.step('keys hide one segment, go to one, and hide and show all segments', async () => {
    const box = list(page).getByRole('checkbox', { name: `Show ${cyst.name}` });
    const { slice } = sliceOf(cyst.name);
    await scrollTo(page, slice + 1);
    expect(has(await layerOn(page), cyst.colour)).toBe(true);
    await box.focus();
    await press(page, ' ');
    await expect(box).not.toBeChecked();
    const without = await layerOn(page);
    expect(has(without, cyst.colour)).toBe(false);
    expect(has(without, metastasis.colour)).toBe(true);
    await press(page, ',', 's');
    await expect(page.getByTestId('segments')).toHaveCount(0);
    const go = list(page).getByRole('button', { name: `Go to ${granuloma.name}` });
    // Radwork ignores Enter on a button for a moment after typed characters, so the key is pressed until it works.
    await expect(async () => {
      await go.focus();
      await press(page, 'Enter');
      const image = page.getByTestId('image-number');
      await expect(image).toHaveText(`${sliceOf(granuloma.name).slice + 1} / 20`, { timeout: 3000 });
    }).toPass();
    await expect(page.getByTestId('segments')).toHaveCount(1);
  });
  expect(complaints).toEqual([]);
});

/** Extent of the drawing from a point to each side. */
const boundsOf = (layer: Layer, { x, y }: Point) => {
  const isDrawn = (point: Point) => layer.at(point)[3] > 60;
  const go = (across: number, down: number) => {
    let [at, last] = [0, 0];
    for (; at < 200; at += 1) if (isDrawn({ x: x + across * at, y: y + down * at })) last = at;
    return last;
  };
  return { left: x - go(-1, 0), right: x + go(1, 0), top: y - go(0, -1), bottom: y + go(0, 1) };
};
