import { expect, type Page, test } from '@playwright/test';
import { readHeader } from '@radwork/dicom/header';
import { ctVolume } from '@radwork/phantom/studies';
import { expectPicture } from '../src/compare-pixels.ts';
import { expectedFrom } from '../src/expected-pixels.ts';
import { complete } from '../src/plane-steps.ts';
import { readCanvas, signIn } from '../src/steps.ts';
import { pictureOn, upload } from '../src/viewer-steps.ts';

const patient = {
  PatientName: 'First^Fiona',
  PatientID: 'E2E-FP',
  PatientBirthDate: '19610203',
  PatientSex: 'F',
} as const;

const ours = 'canvas[data-first-picture]';
const first = (page: Page) => page.locator(ours);

/** Delays the code of a viewer, which includes the imaging library, until the returned function is called. */
const holdLibrary = async (page: Page, viewer: 'study-viewer' | 'mpr-viewer') => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(new RegExp(`/assets/${viewer}-[^/]+\\.js$`), async (route) => {
    await released;
    await route.continue();
  });
  return release;
};

/** Records the brightness of the topmost image in each frame; undefined without an image. */
const watchPicture = () => {
  const seen: (number | undefined)[] = [];
  Object.assign(window, { seen });
  const look = () => {
    requestAnimationFrame(look);
    const canvas =
      document.querySelector<HTMLCanvasElement>('canvas[data-first-picture]') ??
      document.querySelector<HTMLCanvasElement>('canvas.cornerstone-canvas');
    const small = document.createElement('canvas');
    [small.width, small.height] = [16, 16];
    const context = small.getContext('2d');
    if (!canvas || canvas.width === 0 || !context) {
      seen.push(undefined);
      return;
    }
    context.drawImage(canvas, 0, 0, 16, 16);
    const { data } = context.getImageData(0, 0, 16, 16);
    seen.push(data.reduce((sum, value, at) => (at % 4 === 0 ? sum + value : sum), 0) / 256);
  };
  look();
};

test(
  'the first image appears before the imaging library loads, matches the file, and stays afterwards',
  { tag: '@gate' },
  async ({ page }) => {
    await page.setViewportSize({ width: 1000, height: 700 });
    await signIn(page, 'radiologist');
    const files = [
      ...ctVolume({
        seed: 'first picture',
        patient,
        studyDate: '20261112',
        accessionNumber: 'E2E-FP',
        slices: 5,
        size: 128,
      }),
    ];
    await upload(page, files);
    const [file] = files;
    if (!file) throw new Error('The phantom made no files');
    const release = await holdLibrary(page, 'study-viewer');
    await page.addInitScript(watchPicture);

    await page.goto(`/viewer/${readHeader(file.bytes).studyInstanceUID}`);
    await expect(first(page)).toBeVisible();

    // The expected image comes from an independent decoder.
    expectPicture(await pictureOn(page, page, ours), await expectedFrom(file.bytes));
    const room = page.locator('main');
    await expect(room).toContainText('First, Fiona');
    await expect(room).toContainText('1 / 5');
    await expect(room).toContainText('W 400  L 40');
    await expect(room.getByText('R', { exact: true })).toBeVisible();
    const before = await readCanvas(page, page, ours);
    const place = await first(page).boundingBox();

    release();
    await expect(page.getByTestId('image-number')).toHaveText('1 / 5');
    await expect(first(page)).toHaveCount(0);
    await expect(room).toContainText('W 400  L 40');

    expect(await page.locator('canvas.cornerstone-canvas').boundingBox()).toEqual(place);
    const after = await readCanvas(page);
    expect([after.width, after.height]).toEqual([before.width, before.height]);
    const apart = before.rgba.map((value, at) => Math.abs(value - (after.rgba[at] ?? 0)));
    const mean = apart.reduce((sum, difference) => sum + difference, 0) / apart.length;
    expect(mean, 'greys by which the two differ on average').toBeLessThan(0.5);

    const brightness = await page.evaluate(() => Reflect.get(window, 'seen') as (number | undefined)[]);
    const since = brightness.slice(brightness.findIndex((bright) => bright !== undefined && bright > 1));
    const [bright = Number.NaN] = since;
    expect(since.every((one) => one !== undefined && Math.abs(one - bright) < 2)).toBe(true);

    await test.step('the middle slice appears in its plane before the library loads, and stays afterwards', async () => {
      const releasePlanes = await holdLibrary(page, 'mpr-viewer');
      const [, , middle] = files;
      if (!middle) throw new Error('The phantom made too few files');
      await page.goto(`/mpr/${readHeader(middle.bytes).studyInstanceUID}`);
      const axial = page.getByRole('region', { name: 'Axial' });
      await expect(axial.locator(ours)).toBeVisible();

      expectPicture(await pictureOn(page, axial, ours), await expectedFrom(middle.bytes));
      await expect(room).toContainText('First, Fiona');
      await expect(axial).toContainText('W 400  L 40');
      await expect(axial.getByText('R', { exact: true })).toBeVisible();
      await expect(first(page)).toHaveCount(1);
      const ahead = await readCanvas(page, axial, ours);
      const placeAhead = await first(page).boundingBox();
      const location = await axial.getByText(/^[HF] [\d.]+ mm$/).innerText();

      releasePlanes();
      await complete(page);
      await expect(first(page)).toHaveCount(0);

      await expect(axial.getByText(location, { exact: true })).toBeVisible();
      expect(await axial.locator('canvas.cornerstone-canvas').boundingBox()).toEqual(placeAhead);
      const plane = await readCanvas(page, axial);
      expect([plane.width, plane.height]).toEqual([ahead.width, ahead.height]);
      const differences = ahead.rgba.map((value, at) => Math.abs(value - (plane.rgba[at] ?? 0)));
      const average = differences.reduce((sum, difference) => sum + difference, 0) / differences.length;
      expect(average, 'greys by which the two planes differ on average').toBeLessThan(0.5);
    });
  },
);
