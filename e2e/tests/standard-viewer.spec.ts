import { expect, type Locator, type Page, test } from '@playwright/test';
import { readHeader } from '@radwork/dicom/header';
import { ctVolume, magneticResonance } from '@radwork/phantom/studies';
import { ctTruth, mrTruth, pixelOf, type Plane } from '@radwork/phantom/known-values';
import { complaintsOf, signIn, violations } from '../src/steps.ts';
import { openViewer, upload } from '../src/viewer-steps.ts';

const patient = {
  PatientName: 'Standard^Stella',
  PatientID: 'E2E-STANDARD',
  PatientBirthDate: '19610203',
  PatientSex: 'F',
} as const;
const study = (seed: string, studyDate = '20261112') => ({
  seed: `standard ${seed}`,
  patient: { ...patient, PatientID: `${patient.PatientID}-${seed.split(' ')[0]}` },
  studyDate,
  accessionNumber: `ST-${seed}`.slice(0, 16),
});

const uidOf = (files: readonly { bytes: Buffer }[]): string => {
  if (!files[0]) throw new Error('There are no files');
  return readHeader(files[0].bytes).studyInstanceUID;
};

const pane = (page: Page, number: number) => page.getByRole('region', { name: `Viewport ${number}`, exact: true });
const imageOf = (one: Locator) => one.getByTestId('image-number');

/** Opens a study with its hanging protocol, and waits for its images. */
const open = async (page: Page, studyUid: string, panes: number) => {
  await page.goto(`/viewer/${studyUid}`);
  await expect(page.getByTestId('image-number')).toHaveCount(panes);
};

const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};

/** Draws a line with the mouse between points of the page, with pauses like a user. */
const stroke = async (page: Page, from: { x: number; y: number }, to: { x: number; y: number }) => {
  await page.mouse.move(from.x, from.y);
  await page.waitForTimeout(150);
  await page.mouse.down();
  await page.waitForTimeout(150);
  await page.mouse.move((from.x + to.x) / 2, to.y);
  await page.waitForTimeout(150);
  await page.mouse.move(to.x, to.y);
  await page.waitForTimeout(150);
  await page.mouse.up();
};

const small = { slices: 12, size: 96 };
const seriesOf = (description: string) => {
  const match = mrTruth.series.find((one) => one.description === description);
  if (!match) throw new Error(`There is no series ${description}`);
  return match.planes(small);
};

/** Page position of an image pixel: the image is fitted and centered in its viewport. */
const onScreen = async (one: Locator, plane: Plane, pixel: { row: number; column: number }) => {
  const box = await one.locator('canvas.cornerstone-canvas').boundingBox();
  if (!box) throw new Error('There is no canvas');
  const scale = Math.min(box.width / plane.columns, box.height / plane.rows);
  return {
    x: box.x + box.width / 2 + (pixel.column - (plane.columns - 1) / 2) * scale,
    y: box.y + box.height / 2 + (pixel.row - (plane.rows - 1) / 2) * scale,
  };
};

const lineIn = async (one: Locator) => {
  const [box, line] = [
    await one.locator('canvas.cornerstone-canvas').boundingBox(),
    one.getByTestId('reference-line').locator('line').first(),
  ];
  if (!box) throw new Error('There is no canvas');
  const ends = await Promise.all(['x1', 'y1', 'x2', 'y2'].map((name) => line.getAttribute(name)));
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = ends.map(Number);
  return [
    { x: box.x + x1, y: box.y + y1 },
    { x: box.x + x2, y: box.y + y2 },
  ] as const;
};

/** Expects a horizontal reference line at the height of a slice, as the phantom defines it. */
const expectLevelLine = async (one: Locator, plane: Plane, height: number) => {
  const { row } = pixelOf([0, -6, height], plane);
  const expected = await onScreen(one, plane, { row, column: 0 });
  await expect
    .poll(async () => {
      const [start, end] = await lineIn(one);
      return Math.max(Math.abs(start.y - expected.y), Math.abs(end.y - expected.y));
    })
    .toBeLessThan(1);
};

test(
  'an MR study opens with its hanging protocol, reference lines show its slices, and keys control viewports',
  { tag: '@gate' },
  async ({ page }) => {
    const complaints = complaintsOf(page);
    const files = [...magneticResonance({ ...study('mr'), ...small })];
    await signIn(page, 'radiologist');
    await upload(page, files);
    await open(page, uidOf(files), 3);
    const [axial, coronal, sagittal] = [pane(page, 1), pane(page, 2), pane(page, 3)];
    const planes = seriesOf('T2 axial');
    const heightOf = (index: number) => planes[index]?.position[2] ?? NaN;

    await test.step('the first viewports show T2 axial, as requested for a head, then FLAIR, then T1', async () => {
      await expect(axial.getByText('T2 axial')).toBeVisible();
      await expect(coronal.getByText('FLAIR coronal')).toBeVisible();
      await expect(sagittal.getByText('T1 sagittal')).toBeVisible();
      expect(await violations(page)).toEqual([]);
    });

    await test.step('the axial slice appears and moves as a line at its height in the other viewports', async () => {
      const [first, last] = [seriesOf('FLAIR coronal')[0], seriesOf('T1 sagittal')[0]];
      if (!first || !last) throw new Error('There are slices');
      for (const index of [4, 8]) {
        await press(page, 'Home', ...Array.from({ length: index }, () => 'ArrowDown'));
        await expect(imageOf(axial)).toHaveText(`${index + 1} / 12`);
        await expectLevelLine(coronal, first, heightOf(index));
        await expectLevelLine(sagittal, last, heightOf(index));
      }
      await expect(axial.getByTestId('reference-line')).toHaveCount(0);
      await press(page, ',', 'r');
      await expect(page.getByTestId('reference-line')).toHaveCount(0);
      await press(page, ',', 'r');
    });

    await test.step('series that are not parallel do not scroll together', async () => {
      await expect(imageOf(coronal)).toHaveText('1 / 12');
      await expect(imageOf(sagittal)).toHaveText('1 / 12');
      await expect(page.getByText('Linked', { exact: true })).toHaveCount(0);
    });

    await test.step('the same series in two viewports scrolls together, unless the user unlinks them', async () => {
      await press(page, 'Alt+ArrowRight');
      await expect(coronal).toHaveAttribute('aria-current', 'true');
      await page.getByRole('navigation', { name: 'Series' }).getByRole('button', { name: 'T2 axial' }).click();
      await expect(coronal.getByText('Linked', { exact: true })).toBeVisible();
      await press(page, 'Home', 'ArrowDown', 'ArrowDown', 'ArrowDown');
      await expect(imageOf(coronal)).toHaveText('4 / 12');
      await expect(imageOf(axial)).toHaveText('4 / 12');
      await press(page, '.', 'ArrowDown');
      await expect(imageOf(coronal)).toHaveText('5 / 12');
      await expect(imageOf(axial)).toHaveText('4 / 12');
      await press(page, '.');
    });

    await test.step('a double click enlarges a viewport, and another one restores it', async () => {
      const before = await sagittal.boundingBox();
      await sagittal.locator('canvas.cornerstone-canvas').dblclick();
      await expect
        .poll(async () => (await sagittal.boundingBox())?.width ?? 0)
        .toBeGreaterThan(2 * (before?.width ?? 0));
      await sagittal.locator('canvas.cornerstone-canvas').dblclick();
      await expect.poll(async () => (await sagittal.boundingBox())?.width).toBe(before?.width);
    });

    await test.step('a hidden viewport keeps its series, and the user drags another series into an additional viewport', async () => {
      await press(page, ',', '1');
      await expect(page.getByTestId('image-number')).toHaveCount(1);
      await press(page, ',', '4');
      await expect(pane(page, 2).getByText('T2 axial')).toBeVisible();
      await expect(pane(page, 4).getByText('Select a series in the list, or drag one here')).toBeVisible();
      await page
        .getByRole('navigation', { name: 'Series' })
        .getByRole('button', { name: 'FLAIR coronal' })
        .dragTo(pane(page, 4));
      await expect(pane(page, 4).getByText('FLAIR coronal')).toBeVisible();
      await expect(pane(page, 4)).toHaveAttribute('aria-current', 'true');
    });

    await test.step('the user saves the layout for studies of this kind, and deletes it again', async () => {
      await page.getByRole('button', { name: 'Layout' }).click();
      await page.getByRole('menuitem', { name: 'Save layout for MR head' }).click();
      await open(page, uidOf(files), 4);
      await page.getByRole('button', { name: 'Layout' }).click();
      await page.getByRole('menuitem', { name: 'Delete saved layout for MR head' }).click();
      await expect(page.getByTestId('image-number')).toHaveCount(3);
      // An open menu receives the keys.
      await expect(page.getByRole('menu')).toHaveCount(0);
    });

    await test.step('tags of the image are found by name', async () => {
      await press(page, ',', 't');
      await page.getByLabel('Find a tag').fill('slice thickness');
      await expect(page.getByRole('button', { name: 'Slice Thickness: 12.5, copy' })).toBeVisible();
      await expect(page.getByText('1 of', { exact: false })).toBeVisible();
      await press(page, 'Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
    });
    expect(complaints).toEqual([]);
  },
);

test('a prior opens next to the study, is labeled and scrolls with it at a fixed offset', async ({ page }) => {
  const complaints = complaintsOf(page);
  const options = { slices: 24, size: 96 };
  const now = [...ctVolume({ ...study('ct now'), ...options })];
  const before = [...ctVolume({ ...study('ct before', '20241104'), ...options, slices: 48 })];
  await signIn(page, 'radiologist');
  await upload(page, [...before, ...now]);
  await open(page, uidOf(now), 2);
  const [left, right] = [pane(page, 1), pane(page, 2)];
  const priors = page.getByRole('region', { name: 'Prior studies' });
  await expect(priors.getByRole('button', { name: /2024-11-04/ })).toBeVisible();
  await press(page, 'Home', ...Array.from({ length: 6 }, () => 'ArrowDown'));
  await expect(imageOf(left)).toHaveText('7 / 24');

  await expect(right.getByText('PRIOR 2024-11-04 · 2y earlier')).toBeVisible();
  await expect(left.getByText(/PRIOR/)).toHaveCount(0);
  await expect(right.getByText('Linked by offset')).toBeVisible();
  const depth = (slices: number, index: number) => ctTruth.planes({ ...options, slices })[index]?.position[2] ?? NaN;
  const shownAt = async (one: Locator) => Number((await imageOf(one).textContent())?.split(' / ')[0]) - 1;
  // Both volumes have the same extent, so slice 7 of 24 matches slice 14 of 48, within one slice.
  await expect.poll(() => shownAt(right)).toBeGreaterThan(10);
  const firstSlice = await shownAt(right);
  expect(Math.abs(depth(48, firstSlice) - depth(24, 6))).toBeLessThan(Math.abs(depth(24, 1) - depth(24, 0)));

  await press(page, ...Array.from({ length: 5 }, () => 'ArrowDown'));

  await expect(imageOf(left)).toHaveText('12 / 24');
  const moved = depth(24, 11) - depth(24, 6);
  await expect
    .poll(async () => Math.abs(depth(48, await shownAt(right)) - depth(48, firstSlice) - moved))
    .toBeLessThan(Math.abs(depth(48, 1) - depth(48, 0)) / 2 + 0.001);

  await test.step('when the user opens priors from a prior, the study stays on the left', async () => {
    await press(page, 'Alt+ArrowRight', '-');
    await expect(left).toHaveAttribute('aria-current', 'true');
    await expect(left.getByText(/PRIOR/)).toHaveCount(0);
    await expect(right.getByText('PRIOR 2024-11-04 · 2y earlier')).toBeVisible();
  });

  await test.step('a window applies to study and prior only when they are linked', async () => {
    await press(page, '2');
    await expect(left.getByText('W 1500 L -600')).toBeVisible();
    await expect(right.getByText('W 400 L 40')).toBeVisible();
    await press(page, ',', 'z', '3');
    await expect(left.getByText('W 2000 L 500')).toBeVisible();
    await expect(right.getByText('W 2000 L 500')).toBeVisible();
  });

  await test.step('measurements on the prior are stored with the prior', async () => {
    const box = await right.locator('canvas.cornerstone-canvas').boundingBox();
    if (!box) throw new Error('There is no canvas');
    const saveResponse = page.waitForResponse(
      (response) => /measurement/.test(response.url()) && response.request().method() !== 'GET',
    );
    await press(page, 'Alt+ArrowRight', 'l');
    await stroke(page, { x: box.x + 150, y: box.y + 300 }, { x: box.x + 260, y: box.y + 300 });
    expect((await saveResponse).ok()).toBe(true);
    expect(await violations(page)).toEqual([]);
    await openViewer(page, uidOf(now));
    await press(page, 'k');
    const list = page.getByRole('complementary', { name: 'Measurements' });
    await expect(list.getByText('No measurements yet.')).toBeVisible();
    await openViewer(page, uidOf(before));
    await expect(list.getByRole('button', { name: /^Length/ })).toBeVisible();
  });
  expect(complaints).toEqual([]);
});
