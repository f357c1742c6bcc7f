import { expect, type Locator, type Page } from '@playwright/test';
import { readHeader } from '@radwork/dicom/header';
import type { Point } from '@radwork/phantom/known-values';
import { expectBall } from './compare-pixels.ts';
import { signIn } from './steps.ts';
import { clickOn, pictureOn, type Placement, upload } from './viewer-steps.ts';

export type Files = readonly { bytes: Buffer }[];

export const uidOf = (files: Files): string => {
  if (!files[0]) throw new Error('There are no files');
  return readHeader(files[0].bytes).studyInstanceUID;
};

export const openPlanes = async (page: Page, files: Files) => {
  await signIn(page, 'radiologist');
  await upload(page, files);
  await page.goto(`/mpr/${uidOf(files)}`);
};

/** Waits until the planes have all slices. */
export const complete = async (page: Page) => {
  await expect(page.getByRole('region', { name: 'Coronal' }).locator('canvas.cornerstone-canvas')).toBeVisible();
  await expect(page.getByText(/^W \d/)).toHaveCount(3);
  await expect(page.getByRole('status').filter({ hasText: 'slices' })).toHaveCount(0);
};

export const pane = (page: Page, name: string): Locator => page.getByRole('region', { name });

/** For each plane: the patient axis across and down the screen, and the size of the chest there, in mm. */
export const planes = {
  Axial: { across: ([left]: Point) => left, down: ([, posterior]: Point) => posterior, size: [400, 400] },
  Sagittal: {
    across: ([, posterior]: Point) => posterior,
    down: ([, , superior]: Point) => -superior,
    size: [400, 240],
  },
  Coronal: { across: ([left]: Point) => left, down: ([, , superior]: Point) => -superior, size: [400, 240] },
} as const;

export type Name = keyof typeof planes;
export const names = ['Axial', 'Sagittal', 'Coronal'] as const;

/** Placement of a plane through the chest on its canvas, centered; units are mm instead of pixels. */
export const placementOn = (name: Name, picture: { width: number; height: number }): Placement => {
  const [width, height] = planes[name].size;
  const scale = Math.min(picture.width / width, picture.height / height);
  return {
    scale,
    of: ({ row, column }) => ({ x: picture.width / 2 + column * scale, y: picture.height / 2 + row * scale }),
  };
};

export const placeOf = (name: Name, point: Point) => ({
  column: planes[name].across(point),
  row: planes[name].down(point),
});

/** Moves the crosshairs to a point: first its height in the coronal plane, then the rest in the axial plane. */
export const goTo = async (page: Page, point: Point) => {
  for (const name of ['Coronal', 'Axial'] as const) {
    const picture = await pictureOn(page, pane(page, name));
    await clickOn(page, placementOn(name, picture).of(placeOf(name, point)), pane(page, name));
  }
};

/** Maximizes the current plane to a canvas of 1200 x 800. 1 mm of the chest is then 2 or 3 pixels. */
export const enlarge = async (page: Page, name: Name) => {
  await page.keyboard.press('d');
  const { width, height } = (await pane(page, name).boundingBox()) ?? { width: 0, height: 0 };
  const window = page.viewportSize() ?? { width: 0, height: 0 };
  const difference = { width: 1200 - Math.round(width), height: 800 - Math.round(height) };
  await page.setViewportSize({ width: window.width + difference.width, height: window.height + difference.height });
};

/** Gray of a value in the widest window (key 9): width 4000, level 500. */
export const grey = (hounsfield: number) => (255 * (hounsfield + 1500)) / 3999;

/** Expects a sphere of the chest in a plane through its center. */
export const expectBallIn = async (
  page: Page,
  name: Name,
  ball: { centre: Point; radius: number; hounsfield: number },
) => {
  const picture = await pictureOn(page, pane(page, name));
  const { centre, radius, hounsfield } = ball;
  expectBall(picture, placementOn(name, picture), { ...placeOf(name, centre), radius, grey: grey(hounsfield) }, 0.12);
};
