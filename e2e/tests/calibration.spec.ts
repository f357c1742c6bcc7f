import { expect, type Page, test } from '@playwright/test';
import { readHeader } from '@radwork/dicom/header';
import { computedRadiography } from '@radwork/phantom/studies';
import { complaintsOf, signIn } from '../src/steps.ts';
import { drag, measurements, openViewer, type Point, pictureOn, upload } from '../src/viewer-steps.ts';

const options = (seed: string) => ({
  seed,
  patient: {
    PatientName: 'Scale^Sina',
    PatientID: 'E2E-CALIBRATE',
    PatientBirthDate: '19610203',
    PatientSex: 'F',
  } as const,
  studyDate: '20261112',
  accessionNumber: seed.toUpperCase().slice(0, 16),
});

const uidOf = ([file]: readonly { bytes: Buffer }[]): string => {
  if (!file) throw new Error('There are no files');
  return readHeader(file.bytes).studyInstanceUID;
};

const panel = (page: Page) => page.getByRole('complementary', { name: 'Measurements' });
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Calibrate by hand' });
const onPicture = (page: Page) => page.getByLabel('Viewport 1').getByText(/^Calibrated by hand × /);

/** Draws a line of a given length in screen pixels, at a distance below the image center. */
const drawLine = async (page: Page, length: number, below: number) => {
  const { width, height } = await pictureOn(page);
  const at = (x: number): Point => ({ x: width / 2 + x, y: height / 2 + below });
  await page.keyboard.press('l');
  await drag(page, at(-length / 2), at(length / 2));
};

/** Lengths in the list, in mm. Each has the origin of its scale. */
const listedValues = async (page: Page): Promise<{ value: number; words: string }[]> => {
  const texts = await panel(page)
    .getByRole('button', { name: /^Length/ })
    .allTextContents();
  return texts.map((text) => {
    const [, value = '', words = ''] = /([\d.]+) mm ?(at the detector|calibrated by hand)?/.exec(text) ?? [];
    return { value: Number(value), words };
  });
};

test('a user calibrates a radiograph with a line of known length, and removes the calibration', async ({
  page,
  browser,
}) => {
  const complaints = complaintsOf(page);
  const files = [...computedRadiography(options('calibrate'))];
  await signIn(page, 'radiologist');
  await upload(page, files);
  await openViewer(page, uidOf(files));
  await page.keyboard.press('k');
  await drawLine(page, 200, -60);
  await expect(panel(page).getByRole('button', { name: /^Length .*at the detector/ })).toBeVisible();
  const [before] = await listedValues(page);

  await test.step('list and image show a length of 100 mm as calibrated by hand', async () => {
    await panel(page)
      .getByRole('button', { name: /^Calibrate by Length/ })
      .click();
    await dialog(page).getByLabel('True length in mm').fill('100');
    await dialog(page).getByRole('button', { name: 'Calibrate', exact: true }).click();
    await expect(panel(page).getByRole('button', { name: /^Length ?100 mm calibrated by hand/ })).toBeVisible();
    await expect(measurements(page)).toHaveText(['100 mm calibrated by hand']);
    await expect(onPicture(page)).toBeVisible();
  });

  await test.step('a second line of half the length is shown as 50 mm', async () => {
    await drawLine(page, 100, 60);
    await expect(panel(page).getByRole('button', { name: /^Length/ })).toHaveCount(2);
    const [first, second] = await listedValues(page);
    expect(first).toEqual({ value: 100, words: 'calibrated by hand' });
    expect(second?.words).toBe('calibrated by hand');
    expect(Math.abs((second?.value ?? 0) - 50)).toBeLessThan(0.6);
  });

  await test.step('another reader sees the same values and the same calibration', async () => {
    const context = await browser.newContext();
    const colleague = await context.newPage();
    await signIn(colleague, 'reviewer');
    await openViewer(colleague, uidOf(files));
    await colleague.keyboard.press('k');
    await expect(onPicture(colleague)).toBeVisible();
    await expect(measurements(colleague)).toHaveText([/^100 mm calibrated by hand$/, /^(49|50)(\.\d)? mm calibrated/]);
    await expect(panel(colleague).getByRole('button', { name: /^Calibrate/ })).toHaveCount(0);
    await context.close();
  });

  await test.step('after removing the calibration, lengths apply at the detector again', async () => {
    await panel(page)
      .getByRole('button', { name: /^Calibrate by Length 100/ })
      .click();
    await dialog(page).getByRole('button', { name: 'Remove calibration' }).click();
    await expect(panel(page).getByRole('button', { name: /^Length .*at the detector/ })).toHaveCount(2);
    await expect(onPicture(page)).toHaveCount(0);
    expect((await listedValues(page))[0]).toEqual({ value: before?.value, words: 'at the detector' });
  });
  expect(complaints).toEqual([]);
});
