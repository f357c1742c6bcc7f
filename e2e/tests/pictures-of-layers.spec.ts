import { expect, type Page, test } from '@playwright/test';
import { binarySegmentation, ctVolume, presentationStates } from '@radwork/phantom/studies';
import { ctTruth, documentTruth, markedTruth, pixelOf, sliceThrough } from '@radwork/phantom/known-values';
import {
  askForPicture,
  isInside,
  patientOf,
  uidOf,
  choose,
  leaveDrawnOut,
  pictureIn,
  saveDialog,
  savePicture,
} from '../src/saved-pictures.ts';
import { complaintsOf, signIn } from '../src/steps.ts';
import { openViewer, type Picture, pictureOn, placementOf, scrollTo, upload } from '../src/viewer-steps.ts';

const ofStates = {
  seed: 'picture states',
  patient: patientOf('E2E-PICTURE-STATE'),
  studyDate: '20261112',
  accessionNumber: 'PIC-5',
  slices: 20,
  size: 128,
} as const;

const chooseState = async (page: Page, name: RegExp) => {
  await page.getByRole('button', { name: 'Presentation states' }).click();
  await page.getByRole('menuitem', { name }).click();
  // An open menu receives the keys.
  await expect(page.getByRole('menuitem')).toHaveCount(0);
};

/** Number of pixels in a box that differ between two images. */
const differing = (
  one: Picture,
  other: Picture,
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
) => {
  let count = 0;
  for (let down = Math.floor(y); down < y + height; down += 1) {
    for (let across = Math.floor(x); across < x + width; across += 1) {
      if (one.at({ x: across, y: down }).green !== other.at({ x: across, y: down }).green) count += 1;
    }
  }
  return count;
};

test('a saved image keeps shutter and texts of a presentation state, and options without them are not offered', async ({
  page,
}) => {
  const complaints = complaintsOf(page);
  const [, inverse] = documentTruth.states(ofStates);
  const files = [...ctVolume(ofStates), ...presentationStates(ofStates)];
  const star = page.getByLabel('Viewport 1').getByText('★ Key image');
  await signIn(page, 'radiologist');
  await upload(page, files);
  await openViewer(page, uidOf(files));
  await scrollTo(page, inverse.image);
  await askForPicture(page);
  await choose(page, 'With patient data');
  const heightBefore = (await pictureIn(page, (await savePicture(page)).png)).height;
  await chooseState(page, /^INVERSE/);
  await expect(page.getByTestId('shutter')).toHaveCount(1);
  await page.mouse.move(5, 5);
  const screenshot = await pictureOn(page);
  const onScreen = placementOf(screenshot, { rows: ofStates.size, columns: ofStates.size });
  const { left, right, upper, lower } = inverse.shutter ?? { left: 0, right: 0, upper: 0, lower: 0 };

  const bare =
    await test.step('an image saved without drawings is black outside the shutter and otherwise as shown', async () => {
      await askForPicture(page);
      await leaveDrawnOut(page);
      await expect(saveDialog(page).getByText(/Presentation state INVERSE also shows a shutter/)).toBeVisible();
      await expect(saveDialog(page).getByText('Whole image, 1:1', { exact: true })).toHaveCount(0);
      const picture = await pictureIn(page, (await savePicture(page)).png);
      let [covered, brightBelow, within] = [0, 0, 0];
      for (let column = 6; column < ofStates.size - 6; column += 2) {
        for (let row = 6; row < ofStates.size - 6; row += 2) {
          const point = onScreen.of({ column, row });
          if (!isInside(screenshot)(point.x, point.y)) continue;
          // The file counts pixels from 1. Pixels at the edge of the shutter are left out.
          const isCovered = column < left - 3 || column > right + 1 || row < upper - 3 || row > lower + 1;
          const isSeen = column > left && column < right - 2 && row > upper && row < lower - 2;
          if (isCovered) {
            expect(picture.at(point), `column ${column}, row ${row}`).toEqual({ red: 0, green: 0, blue: 0 });
            covered += 1;
            if (screenshot.at(point).red > 128) brightBelow += 1;
          }
          if (isSeen) {
            expect(picture.at(point)).toEqual(screenshot.at(point));
            within += 1;
          }
        }
      }
      expect([covered > 300, brightBelow > 100, within > 500]).toEqual([true, true, true]);
      return picture;
    });

  await test.step('an image saved with drawings has the texts; with identity, it also names the presentation state', async () => {
    const canvas = await page.locator('canvas.cornerstone-canvas').first().boundingBox();
    const textBox = await page.getByTestId('presentation-words').first().boundingBox();
    if (!canvas || !textBox) throw new Error('The state has words');
    const box = { ...textBox, x: textBox.x - canvas.x, y: textBox.y - canvas.y };
    await askForPicture(page);
    await expect(saveDialog(page).getByText(/Text that users wrote on the image/)).toBeVisible();
    const plain = await savePicture(page);
    expect(differing(await pictureIn(page, plain.png), bare, box)).toBeGreaterThan((box.width * box.height) / 20);
    await askForPicture(page);
    await choose(page, 'With patient data');
    const identifiedPicture = await pictureIn(page, (await savePicture(page)).png);
    expect(identifiedPicture.height).toBeGreaterThan(heightBefore + 10);
  });

  await test.step('with a presentation state the user can only remove a key image, not mark one', async () => {
    await page.keyboard.press('*');
    await expect(
      page.getByText(/A key image saves window, rotation and zoom\. Presentation state INVERSE also shows/),
    ).toBeVisible();
    await expect(star).toHaveCount(0);
    await chooseState(page, /^None/);
    await expect(page.getByTestId('shutter')).toHaveCount(0);
    await page.keyboard.press('*');
    await expect(star).toBeVisible();
    await chooseState(page, /^INVERSE/);
    await expect(page.getByTestId('shutter')).toHaveCount(1);
    await page.keyboard.press('*');
    await expect(star).toHaveCount(0);
  });
  expect(complaints).toEqual([]);
});

test('visible segments are saved with the drawings, and an image saved as a whole says that it has no segments', async ({
  page,
}) => {
  const complaints = complaintsOf(page);
  const options = {
    seed: 'picture segments',
    patient: patientOf('E2E-PICTURE-SEGMENT'),
    studyDate: '20261112',
    accessionNumber: 'PIC-6',
    slices: 20,
    size: 95,
  };
  const [nodule] = markedTruth.binary;
  const ball = ctTruth.spheres.find(({ name }) => name === nodule.name);
  const planes = ctTruth.planes(options);
  const slice = ball ? sliceThrough(ball.centre, planes) : 0;
  const plane = planes[slice];
  if (!ball || !plane) throw new Error('The ball lies in a slice');
  const files = [...ctVolume(options), binarySegmentation(options)];
  await signIn(page, 'radiologist');
  await upload(page, files);
  await openViewer(page, uidOf(files));
  await scrollTo(page, slice + 1);
  const centre = placementOf(await pictureOn(page), plane).of(pixelOf(ball.centre, plane));
  await page.keyboard.press(',');
  await page.keyboard.press('s');
  await expect(page.locator('[data-testid="segments"][data-state="there"]')).toHaveCount(1);
  await page.mouse.move(5, 5);

  /** Distance of a color from gray. */
  const colourIn = ({ at }: Picture) => {
    const { red, green, blue } = at(centre);
    return Math.max(red, green, blue) - Math.min(red, green, blue);
  };
  await askForPicture(page);
  const statePicture = await pictureIn(page, (await savePicture(page)).png);
  expect(colourIn(statePicture)).toBeGreaterThan(10);
  await askForPicture(page);
  await choose(page, 'Whole image, 1:1');
  await expect(saveDialog(page).getByText(/Segments are not drawn on the whole image/)).toBeVisible();
  await choose(page, 'As on screen');
  await leaveDrawnOut(page);
  expect(colourIn(await pictureIn(page, (await savePicture(page)).png))).toBe(0);
  expect(complaints).toEqual([]);
});
