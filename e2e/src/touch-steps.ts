import { expect, type Locator, type Page } from '@playwright/test';
import { readHeader } from '@radwork/dicom/header';
import { ctVolume, magneticResonance, petCt, ultrasoundCine } from '@radwork/phantom/studies';
import { upload } from './viewer-steps.ts';

const options = (seed: string) => ({
  seed: `touch ${seed}`,
  patient: {
    PatientName: 'Finger^Fiona',
    PatientID: `E2E-TOUCH-${seed}`,
    PatientBirthDate: '19610203',
    PatientSex: 'F',
  } as const,
  studyDate: '20261112',
  accessionNumber: `TOUCH-${seed}`,
});

const stored = async (page: Page, files: readonly { bytes: Buffer }[]): Promise<string> => {
  await upload(page, files);
  if (!files[0]) throw new Error('There are no files');
  return readHeader(files[0].bytes).studyInstanceUID;
};

const small = { slices: 24, size: 96 };
export const brain = (page: Page, seed: string) =>
  stored(page, [...magneticResonance({ ...options(seed), slices: 12, size: 96 })]);
export const chest = (page: Page, seed: string) => stored(page, [...ctVolume({ ...options(seed), ...small })]);
export const heart = (page: Page, seed: string) => stored(page, [...ultrasoundCine({ ...options(seed), slices: 12 })]);
export const body = (page: Page, seed: string) => stored(page, [...petCt({ ...options(seed), ...small })]);

/** Returns a function that converts shares of width and height to page coordinates of an element. */
export const placesIn = async (part: Locator) => {
  const box = await part.boundingBox();
  if (!box) throw new Error('It is not on the screen');
  return (across: number, down: number) => ({ x: box.x + box.width * across, y: box.y + box.height * down });
};

/** Zoom of a viewport in percent. */
export const zoomOf = async (one: Locator) =>
  Number(/\d+/.exec((await one.getByText(/^Zoom \d+%$/).textContent()) ?? '')?.[0]);

/**
 * Expects two fingers that double their distance to double the zoom. The tolerance covers movement before the gesture
 * is recognized.
 */
export const expectDoubled = (before: number, after: number) => {
  expect(after / before).toBeGreaterThan(1.7);
  expect(after / before).toBeLessThan(2.1);
};

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Selects a tool by tap. A busy browser sometimes reads a tap as a long press, so the tap is repeated. */
export const takeTool = (page: Page, name: string) =>
  expect(async () => {
    await button(page, name).tap();
    await expect(button(page, name)).toHaveAttribute('aria-pressed', 'true', { timeout: 2000 });
  }).toPass();
