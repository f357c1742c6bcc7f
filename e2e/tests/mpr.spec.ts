import { expect, test } from '@playwright/test';
import type { Elements } from '@radwork/dicom/part10';
import { ctVolume, doseVolume, magneticResonance, structureSet } from '@radwork/phantom/studies';
import type { StudyOptions } from '@radwork/phantom/study';
import { ctTruth } from '@radwork/phantom/known-values';
import {
  complete,
  expectBallIn,
  goTo,
  grey,
  names,
  openPlanes,
  pane,
  placementOn,
  placeOf,
} from '../src/plane-steps.ts';
import { complaintsOf } from '../src/steps.ts';
import { contextsInUse, keepContexts, pictureOn } from '../src/viewer-steps.ts';

const options = (seed: string): StudyOptions => ({
  seed: `mpr ${seed}`,
  patient: { PatientName: 'Plane^Petra', PatientID: 'E2E-MPR', PatientBirthDate: '19610203', PatientSex: 'F' },
  studyDate: '20261112',
  accessionNumber: `MPR-${seed}`,
});

/** Makes all values below -600 HU padding: air and lung. */
const lungAsPadding: Elements = { PixelPaddingValue: 0, PixelPaddingRangeLimit: 424 };

const granuloma = ctTruth.spheres.find(({ name }) => name === 'granuloma in the left lower lobe');

test(
  'a click on a marker in one plane centers it in the other two, and a slab reaches to both sides',
  { tag: '@gate' },
  async ({ page }) => {
    test.setTimeout(240_000);
    const complaints = complaintsOf(page);
    if (!granuloma) throw new Error('The chest has a granuloma');
    const chest = options('crosshairs');
    await openPlanes(page, [...ctVolume(chest, lungAsPadding), structureSet(chest), doseVolume(chest, {})]);
    await complete(page);
    await expect(page.getByText('W 400  L 40')).toHaveCount(3);
    await page.keyboard.press('9');
    await expect(page.getByText('W 4000  L 500')).toHaveCount(3);

    await test.step('the marker is not visible on the planes through the center of the volume', async () => {
      await expect(expectBallIn(page, 'Sagittal', granuloma)).rejects.toThrow();
    });
    await test.step('a slab shows half of its thickness on each side of the plane', async () => {
      const greyAt = async (): Promise<number> => {
        const picture = await pictureOn(page, pane(page, 'Axial'));
        return picture.at(placementOn('Axial', picture).of(placeOf('Axial', granuloma.centre))).red;
      };
      const thickness = page.getByLabel('Slab thickness');
      // The plane is 3 mm above the center; the granuloma is 29 to 45 mm below the plane.
      expect(await greyAt()).toBeLessThan(grey(0));

      await thickness.fill('50');
      expect(await greyAt()).toBeLessThan(grey(300));
      await thickness.fill('76');
      await expect(pane(page, 'Axial').getByText('MIP 76 mm')).toBeVisible();
      expect(Math.abs((await greyAt()) - grey(granuloma.hounsfield))).toBeLessThan(4);

      await page.getByRole('combobox', { name: 'Slab mode' }).click();
      await page.getByRole('option', { name: 'MinIP' }).click();
      await expect(pane(page, 'Axial').getByText('MinIP 76 mm')).toBeVisible();
      // The lung around the granuloma is padding, and has no part in a projection.
      expect(await greyAt()).toBeGreaterThan(grey(-610));
      await page.getByRole('combobox', { name: 'Slab mode' }).click();
      await page.getByRole('option', { name: 'Average' }).click();
      await expect(pane(page, 'Axial').getByText('Average 76 mm')).toBeVisible();
      expect(await greyAt()).toBeGreaterThan(grey(0));
      await expect(page.getByText('Padding of the images counts in this slab')).toHaveCount(0);
      await thickness.fill('0');
      await expect(page.getByText(/Average \d/)).toHaveCount(0);
    });
    await goTo(page, granuloma.centre);

    for (const name of names) {
      await test.step(name, async () => {
        await expectBallIn(page, name, granuloma);
        const lines = pane(page, name).locator('svg:not(.svg-layer) line');
        const picture = await pictureOn(page, pane(page, name));
        const { x, y } = placementOn(name, picture).of(placeOf(name, granuloma.centre));
        const ends = await lines.evaluateAll((all) =>
          all.map((line) => ['x1', 'y1', 'x2', 'y2'].map((end) => Number(line.getAttribute(end)))),
        );
        const upright = ends.filter(([x1 = 0, , x2 = 0]) => Math.abs(x1 - x2) < 1).map(([x1]) => x1);
        const level = ends.filter(([, y1 = 0, , y2 = 0]) => Math.abs(y1 - y2) < 1).map(([, y1]) => y1);
        expect(upright.length + level.length).toBe(4);
        for (const at of upright) expect(Math.abs((at ?? 0) - x)).toBeLessThan(2);
        for (const at of level) expect(Math.abs((at ?? 0) - y)).toBeLessThan(2);
      });
    }
    await test.step('the outline of the marker lies around it in each plane', async () => {
      await page.keyboard.press('/');
      await page.keyboard.press('s');
      for (const name of names) {
        const outline = pane(page, name).getByTestId('plane-contours').locator('path[stroke="rgb(0 255 120)"]');
        const [box, frame] = [
          await outline.boundingBox(),
          await pane(page, name).locator('canvas.cornerstone-canvas').boundingBox(),
        ];
        if (!box || !frame) throw new Error(`${name} has no outline`);
        const { scale, of } = placementOn(name, frame);
        const { x, y } = of(placeOf(name, granuloma.centre));
        expect(Math.abs(box.x - frame.x + box.width / 2 - x)).toBeLessThan(3 + scale);
        // Contours are as thick as the distance between the images.
        expect(Math.abs(box.y - frame.y + box.height / 2 - y)).toBeLessThan(3 + 3 * scale);
        // The box includes the line, which the browser counts with its width before scaling.
        expect(Math.abs(box.width - 2 * granuloma.radius * scale)).toBeLessThan(9);
      }
      await page.keyboard.press('/');
      await page.keyboard.press('s');
      await expect(page.getByTestId('plane-contours')).toHaveCount(0);
    });
    await test.step('a dose lies over each plane', async () => {
      await page.keyboard.press('/');
      await page.keyboard.press('d');
      await expect(page.getByTestId('dose-colors')).toHaveCount(3);
      for (const name of names) {
        await expect(pane(page, name).getByTestId('isodose-lines').locator('path')).not.toHaveCount(0);
      }
    });
    expect(complaints).toEqual([]);
  },
);

test('the planes viewer works for series of any orientation, and leaving it frees the graphics card', async ({
  page,
}) => {
  await keepContexts(page);
  const files = [...magneticResonance(options('mr'))];
  await openPlanes(page, files);
  await complete(page);
  const series = page.getByRole('navigation', { name: 'Series' }).getByRole('button');
  for (let at = 1; at < (await series.count()); at += 1) {
    await series.nth(at).click();
    await expect(series.nth(at)).toHaveAttribute('aria-current', 'true');
    await complete(page);
  }
  expect(await contextsInUse(page)).toBeGreaterThan(0);

  await page.getByRole('link', { name: 'Back to the study' }).click();

  // One context may remain, because the library keeps it to detect the graphics card.
  await expect.poll(() => contextsInUse(page)).toBeLessThanOrEqual(1);
});

test('keys crop the volume rendering on the named side, and rotate it', async ({ page }) => {
  test.setTimeout(240_000);
  // A small window, since every ray takes long without a graphics card.
  await page.setViewportSize({ width: 760, height: 560 });
  await openPlanes(page, [...ctVolume({ ...options('crop'), slices: 20, size: 64 })]);
  await complete(page);
  const rendering = pane(page, 'Volume rendering');
  /** Visible pixels left and right of the center, seen from the front: the patient's right and left. */
  const grayOfSides = async () => {
    const { width, height, at } = await pictureOn(page, rendering);
    const sides = { right: 0, left: 0 };
    for (let x = 0; x < width; x += 4) {
      if (Math.abs(x - width / 2) < 0.04 * width) continue;
      for (let y = 0; y < height; y += 4) {
        const { red, green, blue } = at({ x, y });
        if (red + green + blue > 30) sides[x < width / 2 ? 'right' : 'left'] += 1;
      }
    }
    return sides;
  };

  const greys = async () => {
    const { width, height, at } = await pictureOn(page, rendering);
    return Array.from({ length: 400 }, (_, index) => {
      const share = { x: ((index % 20) + 0.5) / 20, y: (Math.floor(index / 20) + 0.5) / 20 };
      return at({ x: share.x * width, y: share.y * height }).red;
    });
  };

  await page.keyboard.press('0');
  await expect
    .poll(async () => Math.min(...Object.values(await grayOfSides())), { timeout: 60_000 })
    .toBeGreaterThan(50);
  expect(new Set(await greys()).size).toBeGreaterThan(10);
  const wholeView = await grayOfSides();
  await page.keyboard.press('c');
  const fromTheLeft = rendering.getByRole('slider', { name: 'Crop from: left' });
  await fromTheLeft.focus();
  for (let times = 0; times < 25; times += 1) await page.keyboard.press('ArrowLeft');
  await expect(fromTheLeft).toHaveAttribute('aria-valuenow', '50');

  await expect.poll(async () => (await grayOfSides()).left, { timeout: 60_000 }).toBeLessThan(0.05 * wholeView.left);
  expect((await grayOfSides()).right).toBeGreaterThan(0.9 * wholeView.right);
  await expect(rendering.getByText('Cropped')).toBeVisible();

  await rendering.getByRole('button', { name: 'Whole volume' }).click();
  await expect.poll(async () => (await grayOfSides()).left, { timeout: 60_000 }).toBeGreaterThan(0.9 * wholeView.left);
  await expect(rendering.getByText('Cropped')).toHaveCount(0);

  await test.step('arrow keys rotate the volume rendering', async () => {
    const before = await greys();
    await rendering.focus();
    for (let times = 0; times < 4; times += 1) await page.keyboard.press('ArrowRight');

    await expect
      .poll(async () => (await greys()).filter((grey, index) => Math.abs(grey - (before[index] ?? 0)) > 20).length)
      .toBeGreaterThan(20);
  });
});
