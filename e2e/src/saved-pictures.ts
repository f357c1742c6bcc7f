import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { readHeader } from '@radwork/dicom/header';
import type { Picture } from './viewer-steps.ts';

/** A patient for these journeys with the given Patient ID. */
export const patientOf = (PatientID: string) =>
  ({ PatientName: 'Picture^Pia', PatientID, PatientBirthDate: '19610203', PatientSex: 'F' }) as const;

/** Study Instance UID of generated files. */
export const uidOf = ([file]: readonly { bytes: Buffer }[]): string => {
  if (!file) throw new Error('There are no files');
  return readHeader(file.bytes).studyInstanceUID;
};

/** True outside the labels at the edges. */
export const isInside =
  ({ width, height }: Picture) =>
  (x: number, y: number) =>
    x > 40 && y > 40 && x < width - 40 && y < height - 40;

/** Chunk types of a PNG, in order (W3C PNG §5.3). */
export const partsOfPng = (png: Buffer): string[] => {
  expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
  const parts: string[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) parts.push(png.toString('latin1', at + 4, at + 8));
  return parts;
};

/** Pixels of a PNG, decoded by the browser. */
export const pictureIn = async (page: Page, png: Buffer): Promise<Picture & { rgba: Buffer }> => {
  const { width, height, base64 } = await page.evaluate(async (encoded) => {
    const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d', { willReadFrequently: true });
    pen?.drawImage(bitmap, 0, 0);
    const pixels = pen?.getImageData(0, 0, bitmap.width, bitmap.height).data ?? new Uint8ClampedArray();
    let binary = '';
    for (let at = 0; at < pixels.length; at += 32_768)
      binary += String.fromCharCode(...pixels.subarray(at, at + 32_768));
    return { width: bitmap.width, height: bitmap.height, base64: btoa(binary) };
  }, png.toString('base64'));
  const rgba = Buffer.from(base64, 'base64');
  return {
    width,
    height,
    rgba,
    at: ({ x, y }) => {
      const index = (Math.floor(y) * width + Math.floor(x)) * 4;
      const [red = 0, green = 0, blue = 0] = rgba.subarray(index, index + 3);
      return { red, green, blue };
    },
  };
};

export const saveDialog = (page: Page) => page.getByRole('dialog', { name: 'Save image' });

/** Opens the dialog with its key and waits for the preview. */
export const askForPicture = async (page: Page) => {
  await page.keyboard.press(';');
  await expect(saveDialog(page).getByRole('img', { name: 'Preview' })).toBeVisible();
};

/** Selects an option of the dialog. */
export const choose = async (page: Page, label: string) => {
  await saveDialog(page).getByText(label, { exact: true }).click();
  await expect(saveDialog(page).getByRole('img', { name: 'Preview' })).toBeVisible();
};

/** Turns off the drawings on the image. */
export const leaveDrawnOut = async (page: Page) => {
  await saveDialog(page).getByRole('switch', { name: 'Include drawings' }).click();
  await expect(saveDialog(page).getByRole('img', { name: 'Preview' })).toBeVisible();
};

/** Saves the image as the dialog shows it. */
export const savePicture = async (page: Page) => {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    saveDialog(page).getByRole('button', { name: 'Save' }).click(),
  ]);
  await expect(saveDialog(page)).toHaveCount(0);
  return { name: download.suggestedFilename(), png: await readFile(await download.path()) };
};
