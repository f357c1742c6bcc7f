import { expect, type Page, test } from '@playwright/test';
import { chestCt, ctSeries } from '@radwork/phantom/ct';
import { sagittal, stackAround } from '@radwork/phantom/geometry';
import { ctVolume, magneticResonance } from '@radwork/phantom/studies';
import type { StudyOptions } from '@radwork/phantom/study';
import { ctTruth, type Point } from '@radwork/phantom/truth';
import { expectBall } from '../src/compare-pixels.ts';
import { complete, enlarge, goTo, type Name, names, openPlanes, pane, placedOn, placeOf } from '../src/plane-steps.ts';
import { complaintsOf } from '../src/steps.ts';
import { clickOn, contextsInUse, drag, keepContexts, measurements, pictureOn } from '../src/viewer-steps.ts';

const options = (seed: string): StudyOptions => ({
  seed: `mpr ${seed}`,
  patient: { PatientName: 'Plane^Petra', PatientID: 'E2E-MPR', PatientBirthDate: '19610203', PatientSex: 'F' },
  studyDate: '20261112',
  accessionNumber: `MPR-${seed}`,
});

/** The grey of a number of the chest in the widest window, that of key 9: 4000 wide around 500. */
const grey = (hounsfield: number) => (255 * (hounsfield + 1500)) / 3999;

/** Expects a ball of the chest in a plane that goes through its middle. */
const expectBallIn = async (page: Page, name: Name, ball: { centre: Point; radius: number; hounsfield: number }) => {
  const picture = await pictureOn(page, pane(page, name));
  const { centre, radius, hounsfield } = ball;
  expectBall(picture, placedOn(name, picture), { ...placeOf(name, centre), radius, grey: grey(hounsfield) }, 0.12);
};

const granuloma = ctTruth.spheres.find(({ name }) => name === 'granuloma in the left lower lobe');

test('a click on a marker in one plane brings it to the middle of the other two', async ({ page }) => {
  const complaints = complaintsOf(page);
  if (!granuloma) throw new Error('The chest has a granuloma');
  await openPlanes(page, [...ctVolume(options('crosshairs'))]);
  await complete(page);
  await expect(page.getByText('W 400  L 40')).toHaveCount(3);
  await page.keyboard.press('9');
  await expect(page.getByText('W 4000  L 500')).toHaveCount(3);

  await test.step('it is not on the planes through the middle', async () => {
    await expect(expectBallIn(page, 'Sagittal', granuloma)).rejects.toThrow();
  });
  await goTo(page, granuloma.centre);

  for (const name of names) {
    await test.step(name, async () => {
      await expectBallIn(page, name, granuloma);
      const lines = pane(page, name).locator('svg:not(.svg-layer) line');
      const picture = await pictureOn(page, pane(page, name));
      const { x, y } = placedOn(name, picture).of(placeOf(name, granuloma.centre));
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
  expect(complaints).toEqual([]);
});

test('a ball of 50 mm measures 50 mm in every plane, and its edges are there', { tag: '@gate' }, async ({ page }) => {
  const { centre, radius } = ctTruth.measuringBall;
  await openPlanes(page, [...ctVolume(options('length'))]);
  await complete(page);
  await page.keyboard.press('9');
  await goTo(page, centre);

  for (const name of names) {
    await test.step(name, async () => {
      const small = await pictureOn(page, pane(page, name));
      await page.keyboard.press('x');
      await clickOn(page, placedOn(name, small).of(placeOf(name, centre)), pane(page, name));
      await enlarge(page, name);
      await expectBallIn(page, name, ctTruth.measuringBall);
      const { of } = placedOn(name, await pictureOn(page, pane(page, name)));
      const { row, column } = placeOf(name, centre);

      await page.keyboard.press('l');
      await drag(page, of({ row, column: column - radius }), of({ row, column: column + radius }), pane(page, name));

      await expect(measurements(pane(page, name))).toHaveText(/^(49\.[789]|50(\.[0123])?) mm$/);
      await page.keyboard.press('Delete');
      await page.keyboard.press('d');
    });
  }
});

test('a slab shows what lies before and behind the plane, half of it to either side', async ({ page }) => {
  if (!granuloma) throw new Error('The chest has a granuloma');
  await openPlanes(page, [...ctVolume(options('slab'))]);
  await complete(page);
  await page.keyboard.press('9');
  const greyAt = async (): Promise<number> => {
    const picture = await pictureOn(page, pane(page, 'Axial'));
    return picture.at(placedOn('Axial', picture).of(placeOf('Axial', granuloma.centre))).red;
  };
  const thickness = page.getByLabel('Thickness of the slab');
  // The plane lies 3 mm above the middle, the granuloma from 29 mm below it to 45 mm.
  expect(await greyAt()).toBeLessThan(grey(0));

  await thickness.fill('50');
  expect(await greyAt()).toBeLessThan(grey(300));
  await thickness.fill('76');
  await expect(pane(page, 'Axial').getByText('MIP 76 mm')).toBeVisible();
  expect(Math.abs((await greyAt()) - grey(granuloma.hounsfield))).toBeLessThan(4);

  await page.getByRole('combobox', { name: 'Kind of slab' }).click();
  await page.getByRole('option', { name: 'MinIP' }).click();
  await expect(pane(page, 'Axial').getByText('MinIP 76 mm')).toBeVisible();
  expect(await greyAt()).toBeLessThan(grey(-500));
});

test('a series with a slice missing is refused with the place, one with a localizer in it by its name', async ({
  page,
}) => {
  const whole = [...ctVolume({ ...options('missing'), slices: 20, size: 64 })];
  await openPlanes(page, whole.toSpliced(10, 1));
  await expect(page.getByText('1 slice is missing: between images 10 and 12.').first()).toBeVisible();
  await expect(page.getByRole('link', { name: 'Open in the standard viewer' })).toBeVisible();

  const asked = { ...options('mixed'), slices: 5, size: 64 };
  const localizer = stackAround([0, 0, 0], sagittal, {
    rows: 64,
    columns: 64,
    pixelSpacing: 6.25,
    slices: 1,
    spacing: 1,
  });
  const mixed = [
    ...ctSeries(asked, chestCt, {
      modality: 'CT',
      number: 1,
      description: 'Chest with localizer',
      bodyPart: 'CHEST',
      start: 120,
      planes: [...ctTruth.planes(asked), ...localizer],
      frameOfReferenceUID: '2.25.1234',
      noise: 16,
    }),
  ];
  await openPlanes(page, mixed);
  await expect(page.getByText('Image 6 is turned another way than the other 5.').first()).toBeVisible();
});

test('series in any direction are cut; leaving gives the graphics card back', async ({ page }) => {
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
  expect(await contextsInUse(page)).toBeGreaterThan(1);

  await page.getByRole('link', { name: 'Back to the study' }).click();

  // One is left that the library looks the card up with.
  await expect.poll(() => contextsInUse(page)).toBeLessThanOrEqual(1);
});

test('the volume is seen from outside, and turns by the keys', async ({ page }) => {
  // Small: without a graphics card every ray takes its time.
  await page.setViewportSize({ width: 760, height: 560 });
  await openPlanes(page, [...ctVolume({ ...options('rendering'), slices: 20, size: 64 })]);
  await complete(page);
  const rendering = pane(page, 'Volume rendering');
  const greys = async () => {
    const { width, height, at } = await pictureOn(page, rendering);
    return Array.from({ length: 400 }, (_, index) => {
      const share = { x: ((index % 20) + 0.5) / 20, y: (Math.floor(index / 20) + 0.5) / 20 };
      return at({ x: share.x * width, y: share.y * height }).red;
    });
  };

  await page.keyboard.press('0');
  await expect.poll(async () => new Set(await greys()).size, { timeout: 60_000 }).toBeGreaterThan(10);
  const before = await greys();
  await rendering.focus();
  for (let times = 0; times < 4; times += 1) await page.keyboard.press('ArrowRight');

  await expect
    .poll(async () => (await greys()).filter((grey, index) => Math.abs(grey - (before[index] ?? 0)) > 20).length)
    .toBeGreaterThan(20);
});

test('pieces are cut away from the volume with the keys, on the side that is named, and come back', async ({
  page,
}) => {
  await page.setViewportSize({ width: 900, height: 640 });
  await openPlanes(page, [...ctVolume({ ...options('crop'), slices: 20, size: 64 })]);
  await complete(page);
  const rendering = pane(page, 'Volume rendering');
  /** How much there is to see left and right of the middle, looked at from the front: the patient's right and left. */
  const seen = async () => {
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

  await page.keyboard.press('0');
  await expect.poll(async () => Math.min(...Object.values(await seen())), { timeout: 60_000 }).toBeGreaterThan(50);
  const whole = await seen();
  await page.keyboard.press('c');
  const fromTheLeft = rendering.getByRole('slider', { name: 'Cut away from the left' });
  await fromTheLeft.focus();
  for (let times = 0; times < 25; times += 1) await page.keyboard.press('ArrowLeft');
  await expect(fromTheLeft).toHaveAttribute('aria-valuenow', '50');

  await expect.poll(async () => (await seen()).left, { timeout: 60_000 }).toBeLessThan(0.05 * whole.left);
  expect((await seen()).right).toBeGreaterThan(0.9 * whole.right);
  await expect(rendering.getByText('Cropped')).toBeVisible();

  await rendering.getByRole('button', { name: 'Whole volume' }).click();
  await expect.poll(async () => (await seen()).left, { timeout: 60_000 }).toBeGreaterThan(0.9 * whole.left);
  await expect(rendering.getByText('Cropped')).toHaveCount(0);
});
