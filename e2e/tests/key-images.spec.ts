import { readFile } from 'node:fs/promises';
import { expect, type Page, test } from '@playwright/test';
import { itemsOf, textOf } from '@radwork/dicom/dataset';
import { readHeader } from '@radwork/dicom/header';
import { ctVolume } from '@radwork/phantom/studies';
import { complaintsOf, readCanvas, signIn } from '../src/steps.ts';
import { drag, openViewer, pictureOn, scrollTo, upload } from '../src/viewer-steps.ts';

const patient = {
  PatientName: 'Keyimage^Kim',
  PatientID: 'E2E-KEYIMAGE',
  PatientBirthDate: '19610203',
  PatientSex: 'F',
} as const;

const list = (page: Page) => page.getByRole('region', { name: 'Key images' });
const entry = (page: Page) => list(page).getByRole('link', { name: /^Key image 1/ });
const star = (page: Page) => page.getByLabel('Viewport 1').getByText('★ Key image');
const words = async (page: Page) => ({
  window: await page
    .getByLabel('Viewport 1')
    .getByText(/^W \d+ +L -?\d+/)
    .textContent(),
  zoom: await page
    .getByLabel('Viewport 1')
    .getByText(/^Zoom \d+%$/)
    .textContent(),
});

/** Mean grays of an image in a grid of `side` by `side` cells: the central square of a canvas or picture. */
const fieldsOf = (page: Page, selector: string, side: number) =>
  page
    .locator(selector)
    .first()
    .evaluate((picture, count) => {
      if (!(picture instanceof HTMLCanvasElement || picture instanceof HTMLImageElement)) return [];
      const [width, height] =
        picture instanceof HTMLImageElement
          ? [picture.naturalWidth, picture.naturalHeight]
          : [picture.width, picture.height];
      const middle = Math.min(width, height);
      const pen = new OffscreenCanvas(count, count).getContext('2d', { willReadFrequently: true });
      if (!pen) return [];
      pen.imageSmoothingQuality = 'high';
      pen.drawImage(picture, (width - middle) / 2, (height - middle) / 2, middle, middle, 0, 0, count, count);
      return [...pen.getImageData(0, 0, count, count).data].filter((_, at) => at % 4 === 0);
    }, side);

const meanDifference = (one: readonly number[], other: readonly number[]) =>
  one.reduce((sum, grey, at) => sum + Math.abs(grey - (other[at] ?? NaN)), 0) / one.length;

/** Share of pixels that visibly differ between two screenshots, from 0 to 1. */
const difference = (one: { rgba: Uint8Array }, other: { rgba: Uint8Array }): number => {
  expect(one.rgba.length).toBe(other.rgba.length);
  let count = 0;
  for (let at = 0; at < one.rgba.length; at += 4) {
    if (Math.abs((one.rgba[at] ?? 0) - (other.rgba[at] ?? 0)) > 24) count += 1;
  }
  return count / (one.rgba.length / 4);
};

test('a key image looks exactly as marked, for its author and for a colleague', async ({ page, browser }) => {
  page.setDefaultTimeout(15_000);
  const complaints = complaintsOf(page);
  const files = [...ctVolume({ seed: 'key-image', patient, studyDate: '20261112', accessionNumber: 'KEYIMAGE' })];
  const studyUid = files[0] ? readHeader(files[0].bytes).studyInstanceUID : '';
  await signIn(page, 'radiologist');
  await upload(page, files);
  await openViewer(page, studyUid);
  await page.keyboard.press('k');
  await expect(list(page).getByText('No key images yet. Press * to mark the current image.')).toBeVisible();
  const atFirst = await words(page);

  await test.step('the user marks an image that is windowed, zoomed, rotated, mirrored and panned', async () => {
    await scrollTo(page, 12);
    const { width, height } = await pictureOn(page);
    const middle = { x: width / 2, y: height / 2 };
    await page.keyboard.press('w');
    await drag(page, middle, { x: middle.x - 60, y: middle.y + 40 });
    await page.keyboard.press('o');
    await page.keyboard.press('h');
    await page.keyboard.press('z');
    await drag(page, middle, { x: middle.x, y: middle.y + 60 });
    await page.keyboard.press('p');
    await drag(page, middle, { x: middle.x + 70, y: middle.y - 45 });
    await page.keyboard.press('i');
    await page.keyboard.press('*');
    await expect(star(page)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Key image', exact: true })).toHaveAttribute('aria-pressed', 'true');
    await list(page).getByLabel('Note on key image 1').fill('Show the surgeon');
    await page.keyboard.press('Enter');
    await expect(entry(page)).toHaveAccessibleName('Key image 1: Show the surgeon');
  });
  const marked = await words(page);
  const picture = await readCanvas(page);
  expect(marked.window).not.toBe(atFirst.window);
  expect(marked.zoom).not.toBe(atFirst.zoom);

  await test.step('after a reload, one click opens the key image', async () => {
    await page.reload();
    await expect(page.getByTestId('image-number')).toHaveText(/^1 \//);
    await expect(star(page)).toHaveCount(0);
    expect(difference(await readCanvas(page), picture)).toBeGreaterThan(0.05);
    await entry(page).click();
    await expect(page.getByTestId('image-number')).toHaveText(/^12 \//);
    await expect(star(page)).toBeVisible();
    expect(await words(page)).toEqual(marked);
    await expect.poll(async () => difference(await readCanvas(page), picture)).toBeLessThan(0.01);
  });

  const address = (await entry(page).getAttribute('href')) ?? '';
  const context = await browser.newContext();
  const colleague = await context.newPage();
  await test.step('a colleague opens the address of the key image, sees the same and cannot remove it', async () => {
    await signIn(colleague, 'reviewer');
    await colleague.evaluate(() => {
      localStorage.setItem('preference.viewer-hanging', 'off');
      localStorage.setItem('preference.viewer-measurements', 'open');
    });
    await colleague.goto(address);
    await expect(colleague.getByTestId('image-number')).toHaveText(/^12 \//);
    await expect(star(colleague)).toBeVisible();
    await expect.poll(() => words(colleague)).toEqual(marked);
    await expect.poll(async () => difference(await readCanvas(colleague), picture)).toBeLessThan(0.01);
    await expect(list(colleague).getByText('Show the surgeon')).toBeVisible();
    await expect(list(colleague).getByRole('listitem').getByRole('button')).toHaveCount(0);
  });

  await test.step('pressing the same key again removes the key image for all users, and undo restores it', async () => {
    await page.keyboard.press('*');
    await expect(star(page)).toHaveCount(0);
    await expect(entry(colleague)).toHaveCount(0);
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect(star(page)).toBeVisible();
    await expect(entry(colleague)).toBeVisible();
  });
  await test.step('the key image is exported as a DICOM Key Object Selection with its note', async () => {
    await page.getByRole('button', { name: 'DICOM key image selection' }).click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Download DICOM KO' }).click(),
    ]);
    const { dataset, studyInstanceUID } = readHeader(await readFile(await file.path()));
    const items = itemsOf(dataset, 'ContentSequence');
    const images = items.flatMap((item) => itemsOf(item, 'ReferencedSOPSequence'));
    expect([file.suggestedFilename(), studyInstanceUID]).toEqual(['key-images-KEYIMAGE.dcm', studyUid]);
    expect(images.map((image) => textOf(image, 'ReferencedSOPInstanceUID'))).toEqual([
      files[11] && readHeader(files[11].bytes).sopInstanceUID,
    ]);
    expect(items.flatMap((item) => textOf(item, 'TextValue') ?? [])).toEqual(['Series 1, image 12: Show the surgeon']);
  });

  await test.step('the key image is inserted into the report as seen, with a linked caption', async () => {
    const fields = await fieldsOf(page, 'canvas.cornerstone-canvas', 24);
    // While a menu closes, it still receives the keys.
    await expect(page.getByRole('menu')).toHaveCount(0);
    await page.keyboard.press('n');
    await page.getByRole('button', { name: 'Create report' }).click();
    await page.getByRole('button', { name: 'Insert key images' }).click();
    await page.getByRole('button', { name: 'Insert 1 key image' }).click();
    const text = page.getByRole('textbox', { name: 'Report text' });
    const caption = 'Show the surgeon (series 1, image 12, mirrored, rotated)';
    await expect(text.getByRole('link', { name: caption, exact: true })).toHaveAttribute('href', address);
    const inText = await fieldsOf(page, '[aria-label="Report text"] img', 24);
    const turned = inText.toReversed();
    expect(meanDifference(inText, fields)).toBeLessThan(8);
    expect(meanDifference(turned, fields)).toBeGreaterThan(16);
    await page.getByRole('button', { name: 'Save as draft' }).click();
    await expect(page.getByText(/^Saved /).first()).toBeVisible();
  });

  await context.close();
  expect(complaints).toEqual([]);
});
