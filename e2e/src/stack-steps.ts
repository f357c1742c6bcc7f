import { expect, type Locator, type Page } from '@playwright/test';
import { expectPicture } from './compare-pixels.ts';
import { expectedFrom } from './expected-pixels.ts';
import { type StackFile, studyUidOf } from './small-stacks.ts';
import { signIn } from './steps.ts';
import { pictureOn, upload } from './viewer-steps.ts';

export const imageNumber = (page: Page) => page.getByTestId('image-number');
export const pane = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });
export const veil = (page: Page) => page.getByRole('alert').filter({ hasText: 'could not be shown' });
export const toStandard = (page: Page) => page.getByRole('link', { name: 'Open in the standard viewer' });

export const framesOf = (files: readonly StackFile[]) =>
  new RegExp(`/instances/(${files.map(({ sopInstanceUid }) => sopInstanceUid).join('|')})/frames/`);

/** Answers frame requests of some files with a status, until the returned function is called. */
export const refuse = async (page: Page, frames: RegExp, status: number) => {
  await page.route(frames, (route) => route.fulfill({ status, body: '' }));
  return () => page.unroute(frames);
};

export const part = <T>(all: readonly T[], ...indices: number[]): T[] => indices.flatMap((index) => all[index] ?? []);

export const store = async (page: Page, files: readonly { bytes: Buffer }[]) => {
  await signIn(page, 'radiologist');
  await upload(page, files);
};

export const expectShown = async (page: Page, file: StackFile | undefined) => {
  if (!file) throw new Error('There is no such file');
  expectPicture(await pictureOn(page), await expectedFrom(file.bytes));
};

export const openPlanes = async (page: Page, study: string) => {
  await page.goto(`/mpr/${studyUidOf(study)}`);
};

export const planesAreThere = async (page: Page) => {
  await expect(pane(page, 'Coronal').locator('canvas.cornerstone-canvas')).toBeVisible();
  await expect(page.getByText(/^W \d/)).toHaveCount(3);
  await expect(page.getByRole('status').filter({ hasText: 'slices' })).toHaveCount(0);
};

export const fusionIsThere = async (page: Page) => {
  await expect(pane(page, 'Fused').locator('canvas').first()).toBeVisible();
  await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0);
};
