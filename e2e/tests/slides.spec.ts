import { expect, type Page, test } from '@playwright/test';
import { readHeader } from '@radwork/dicom/header';
import { slideColors, slideTruth } from '@radwork/phantom/slide';
import { slidePyramid } from '@radwork/phantom/studies';
import { complaintsOf, signIn, violations } from '../src/steps.ts';
import { pictureOn, type Point, upload } from '../src/viewer-steps.ts';

const options = {
  seed: 'e2e slide',
  patient: {
    PatientName: 'Slide^Sonja',
    PatientID: 'E2E-SLIDE',
    PatientBirthDate: '19610203',
    PatientSex: 'F',
  },
  studyDate: '20261112',
  accessionNumber: 'SLIDE-1',
} as const;

const stage = (page: Page) => page.getByRole('region', { name: 'Slide' });

/** Waits until all tiles of the view are drawn, and reads the canvas. */
const drawnSlide = async (page: Page) => {
  await expect(stage(page)).toHaveAttribute('data-pending', '0');
  return pictureOn(page, stage(page), 'canvas');
};

const isNear = (color: { red: number; green: number; blue: number }, [red, green, blue]: readonly number[]) =>
  Math.hypot(color.red - (red ?? 0), color.green - (green ?? 0), color.blue - (blue ?? 0)) < 24;

test('a slide opens by tiles, shows its mark at the right place at each zoom, and marks a tile that is missing', async ({
  page,
}) => {
  const complaints = complaintsOf(page);
  const { columns, rows, mark } = slideTruth;
  const files = [...slidePyramid(options)];
  await signIn(page, 'radiologist');
  await upload(page, files);
  const [first] = files;
  if (!first) throw new Error('There is no slide');
  await page.goto(`/viewer/${readHeader(first.bytes).studyInstanceUID}`);

  /** Returns the canvas position of a place on the slide while the whole slide is shown. */
  const placeOn = ({ width, height }: { width: number; height: number }, { x, y }: Point) => {
    const scale = 0.96 * Math.min(width / columns, height / rows);
    return { x: width / 2 + (x - columns / 2) * scale, y: height / 2 + (y - rows / 2) * scale };
  };
  const middle = { x: (mark.left + mark.right) / 2, y: (mark.top + mark.bottom) / 2 };

  const whole = await drawnSlide(page);
  const at = (x: number, y: number) => whole.at(placeOn(whole, { x, y }));
  expect(isNear(at(middle.x, middle.y), slideColors.mark)).toBe(true);
  expect(isNear(at(mark.left + 12, mark.top + 12), slideColors.mark)).toBe(true);
  expect(isNear(at(mark.left - 12, middle.y), slideColors.glass)).toBe(true);
  expect(isNear(at(middle.x, mark.bottom + 12), slideColors.glass)).toBe(true);
  // The padding of the last tiles is not part of the slide.
  expect(isNear(at(columns - 8, rows - 8), slideColors.glass)).toBe(true);
  expect(isNear(at(columns + 12, rows / 2), slideColors.padding)).toBe(false);
  await expect(page.getByText(/^Slide · .*2,000 × 1,400 pixels · 3 levels/)).toBeVisible();
  expect(await violations(page, '[data-document]')).toEqual([]);

  const uid = readHeader(first.bytes).sopInstanceUID;
  const markFrame = `/instances/${uid}/frames/15`;
  await page.route(`**${markFrame}`, (route) => route.abort());
  const box = await stage(page).boundingBox();
  if (!box) throw new Error('There is no slide');
  const held = placeOn(whole, middle);
  await page.mouse.move(box.x + held.x, box.y + held.y);
  for (let step = 0; step < 3; step += 1) await page.mouse.wheel(0, -250);
  await expect(page.getByRole('alert').filter({ hasText: '1 tile could not be loaded.' })).toBeVisible();
  const broken = await drawnSlide(page);
  expect(isNear(broken.at(held), slideColors.mark)).toBe(false);

  await page.unroute(`**${markFrame}`);
  const tile = page.waitForResponse((answer) => answer.url().endsWith(markFrame) && answer.ok());
  await page.getByRole('button', { name: 'Retry' }).click();
  await tile;
  await expect(page.getByRole('alert').filter({ hasText: '1 tile could not be loaded.' })).toHaveCount(0);
  const zoomed = await drawnSlide(page);
  expect(isNear(zoomed.at(held), slideColors.mark)).toBe(true);

  await stage(page).focus();
  await page.keyboard.press('Home');
  const again = await drawnSlide(page);
  expect(isNear(again.at(held), slideColors.mark)).toBe(true);
  await page.getByRole('radiogroup', { name: 'Picture' }).getByText('Label').click();
  await expect(page.getByRole('region', { name: 'Label' })).toHaveAttribute('data-pending', '0');
  await page.goto(`/mpr/${readHeader(first.bytes).studyInstanceUID}`);
  await expect(page.getByText('MPR needs a series of slices. A slide opens in the standard viewer.')).toBeVisible();
  expect(complaints.filter((text) => !text.includes('ERR_FAILED'))).toEqual([]);
});
