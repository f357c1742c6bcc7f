import { expect, type Page, test } from '@playwright/test';
import { patients } from '@radwork/contract/imaging/patients';
import { studies } from '@radwork/contract/imaging/studies';
import { ctVolume, petCt, ultrasoundCine } from '@radwork/phantom/studies';
import { ctTruth, pixelOf, sliceThrough } from '@radwork/phantom/known-values';
import { callAs } from '../src/api-steps.ts';
import { expectedFrom } from '../src/expected-pixels.ts';
import {
  askForPicture,
  isInside,
  patientOf,
  uidOf,
  choose,
  leaveDrawnOut,
  partsOfPng,
  pictureIn,
  saveDialog,
  savePicture,
} from '../src/saved-pictures.ts';
import { smallStack, studyUidOf } from '../src/small-stacks.ts';
import { complaintsOf, signIn, violations } from '../src/steps.ts';
import { drag, openViewer, type Picture, pictureOn, placementOf, scrollTo, upload } from '../src/viewer-steps.ts';

// Clips play only if reduced motion is off.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

/**
 * Share of pixels that differ between a saved image and the image on the screen. The image on the screen starts `top`
 * pixels lower.
 */
const difference = (
  saved: Picture,
  screenshot: Picture,
  top: number,
  isCompared: (x: number, y: number) => boolean,
) => {
  let [count, all] = [0, 0];
  for (let y = 0; y < screenshot.height; y += 1) {
    for (let x = 0; x < screenshot.width; x += 1) {
      if (!isCompared(x, y)) continue;
      const [one, other] = [saved.at({ x, y: y + top }), screenshot.at({ x, y })];
      all += 1;
      if (one.red !== other.red || one.green !== other.green || one.blue !== other.blue) count += 1;
    }
  }
  return count / all;
};

const rename = async (page: Page, studyUid: string, patientName: string) => {
  const study = await callAs(page, studies.getByUid, { params: { studyUid } });
  const { id } = study.patient;
  const { patientId, gender, dateOfBirth, revision } = await callAs(page, patients.get, { params: { id } });
  const body = { patientName, patientId, gender, dateOfBirth: dateOfBirth ?? '', revision };
  await callAs(page, patients.update, { params: { id }, body });
  return study.id;
};

test('a saved image without identity shows no patient data, and a saved image with identity names the patient', async ({
  page,
}) => {
  const complaints = complaintsOf(page);
  const files = [
    ...ctVolume({
      seed: 'pictures',
      patient: patientOf('E2E-PICTURE'),
      studyDate: '20261112',
      accessionNumber: 'PIC-1',
    }),
  ];
  const cyst = ctTruth.spheres.find(({ name }) => name === 'liver cyst');
  const planes = ctTruth.planes({});
  const slice = cyst ? sliceThrough(cyst.centre, planes) : 0;
  const plane = planes[slice];
  if (!cyst || !plane) throw new Error('There is a cyst in the liver');
  await signIn(page, 'radiologist');
  await upload(page, files);
  const studyUid = uidOf(files);
  await openViewer(page, studyUid);
  await scrollTo(page, slice + 1);
  const screenshot = await pictureOn(page);
  const placement = placementOf(screenshot, plane);
  const centre = placement.of(pixelOf(cyst.centre, plane));
  const line = { from: { ...centre, x: centre.x - 60 }, to: { ...centre, x: centre.x + 60 } };
  const saveResponse = page.waitForResponse((answer) => answer.request().method() === 'PUT' && answer.ok());
  await page.keyboard.press('l');
  await drag(page, line.from, line.to);
  await saveResponse;
  const openAgain = async () => {
    await openViewer(page, studyUid);
    await scrollTo(page, slice + 1);
    await expect(page.locator('svg.svg-layer text')).not.toHaveCount(0);
    await page.mouse.move(5, 5);
  };
  await openAgain();
  const isLine = ({ red, green, blue }: ReturnType<Picture['at']>) => red > 180 && green > 160 && blue < 140;
  const onLine = { x: centre.x - 30, y: centre.y };
  const near = (picture: Picture, top: number) =>
    [-2, -1, 0, 1, 2].some((away) => isLine(picture.at({ x: onLine.x, y: onLine.y + top + away })));

  const plain =
    await test.step('an image saved without identity contains the drawn line and no patient data', async () => {
      await askForPicture(page);
      expect(await violations(page, '[role="dialog"]')).toEqual([]);
      const saved = await savePicture(page);
      expect(saved.name).toMatch(new RegExp(`^CT-series-\\d+-image-${slice + 1}\\.png$`));
      expect(partsOfPng(saved.png).filter((part) => !['IHDR', 'IDAT', 'IEND', 'sRGB', 'sBIT'].includes(part))).toEqual(
        [],
      );
      const picture = await pictureIn(page, saved.png);
      expect(picture.width).toBe(screenshot.width);
      expect(near(picture, 0)).toBe(true);
      const away = (x: number, y: number) => isInside(screenshot)(x, y) && Math.hypot(x - centre.x, y - centre.y) > 250;
      expect(difference(picture, screenshot, 0, away)).toBe(0);
      return saved.png;
    });

  await test.step('an image saved without drawings contains only the image', async () => {
    await askForPicture(page);
    await leaveDrawnOut(page);
    const picture = await pictureIn(page, (await savePicture(page)).png);
    expect(near(picture, 0)).toBe(false);
    expect(difference(picture, screenshot, 0, isInside(screenshot))).toBe(0);
  });

  const identifiedPng =
    await test.step('an image saved with identity has text above and the patient in its file name', async () => {
      await askForPicture(page);
      await choose(page, 'With patient data');
      const saved = await savePicture(page);
      expect(saved.name).toContain('Picture-Pia-E2E-PICTURE-2026-11-12-CT-series');
      const [picture, without] = [await pictureIn(page, saved.png), await pictureIn(page, plain)];
      const top = picture.height - without.height;
      expect(top).toBeGreaterThan(40);
      expect(difference(picture, without, top, () => true)).toBe(0);
      return saved.png;
    });

  await test.step('the saved whole image has one pixel for each image pixel, at any zoom', async () => {
    await page.keyboard.press('x');
    await page.keyboard.press('h');
    await askForPicture(page);
    await leaveDrawnOut(page);
    await choose(page, 'Whole image, 1:1');
    const picture = await pictureIn(page, (await savePicture(page)).png);
    const expected = await expectedFrom(files[slice]?.bytes ?? Buffer.alloc(0));
    expect(picture.width).toBe(expected.columns);
    let [sum, count] = [0, 0];
    for (let row = 60; row < expected.rows - 60; row += 1) {
      for (let column = 60; column < expected.columns - 60; column += 1) {
        // The image was mirrored.
        const { red } = picture.at({ x: expected.columns - 1 - column, y: row });
        sum += Math.abs(red - expected.at({ row, column })[0]);
        count += 1;
      }
    }
    expect(sum / count).toBeLessThan(1);
    await page.keyboard.press('r');
  });

  await test.step('without identity, the saved file is the same when the patient has another name', async () => {
    const studyId = await rename(page, studyUid, 'Somebody, Else Entirely');
    await openAgain();
    await expect(page.getByText('Somebody, Else Entirely')).toBeVisible();
    await askForPicture(page);
    const again = await savePicture(page);
    expect(again.png.equals(plain)).toBe(true);
    await askForPicture(page);
    await choose(page, 'With patient data');
    expect((await savePicture(page)).png.equals(identifiedPng)).toBe(false);
    const audit = await callAs(page, studies.audit, { params: { id: studyId }, query: { size: 5 } });
    expect(audit.filter(({ action }) => action === 'study.savePicture').length).toBeGreaterThanOrEqual(2);
  });

  await test.step('an image is not saved if the audit entry fails', async () => {
    await page.route('**/api/saved-pictures/**', (route) => route.abort());
    await askForPicture(page);
    let isSaved = false;
    page.on('download', () => {
      isSaved = true;
    });
    await saveDialog(page).getByRole('button', { name: 'Save' }).click();
    await expect(saveDialog(page).getByRole('alert')).toBeVisible();
    expect(isSaved).toBe(false);
    await page.unroute('**/api/saved-pictures/**');
    await page.keyboard.press('Escape');
    await expect(saveDialog(page)).toHaveCount(0);
  });
  expect(complaints.filter((complaint) => !complaint.includes('net::ERR_FAILED'))).toEqual([]);
});

test('when an image is missing, nothing is saved, not even the previous image below the error message', async ({
  page,
}) => {
  const files = smallStack('no picture', 'CT', 3);
  await signIn(page, 'radiologist');
  await upload(page, files);
  await page.route(new RegExp(`/instances/${files[1]?.sopInstanceUid}/frames/`), (route) =>
    route.fulfill({ status: 404, body: '' }),
  );
  await openViewer(page, studyUidOf('no picture'));
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('alert').filter({ hasText: 'could not be shown' })).toBeVisible();
  await page.keyboard.press(';');
  await expect(page.getByText(/The image is not ready\. Wait until it is shown/)).toBeVisible({ timeout: 30_000 });
  await expect(saveDialog(page)).toHaveCount(0);
  await page.keyboard.press('ArrowDown');
  await expect(page.getByTestId('image-number')).toHaveText('3 / 3');
  await askForPicture(page);
});

test('an ultrasound clip is saved as the visible frame, with a warning about burned-in text', async ({ page }) => {
  const complaints = complaintsOf(page);
  const files = [
    ...ultrasoundCine({
      seed: 'picture us',
      patient: patientOf('E2E-PICTURE-US'),
      studyDate: '20261112',
      accessionNumber: 'PIC-4',
    }),
  ];
  await signIn(page, 'radiologist');
  await upload(page, files);
  await page.goto(`/usviewer/${uidOf(files)}`);
  await expect(page.getByTestId('image-number')).toBeVisible();
  await page.keyboard.press(' ');
  await expect(page.getByRole('button', { name: 'Play' })).toBeVisible();
  const number = /^(\d+)/.exec((await page.getByTestId('image-number').textContent()) ?? '')?.[1];
  const screenshot = await pictureOn(page);
  await askForPicture(page);
  await expect(saveDialog(page).getByText(/may contain burned-in text/)).toBeVisible();
  await choose(page, 'With patient data');
  await expect(saveDialog(page).getByText(/may contain burned-in text/)).toHaveCount(0);
  await choose(page, 'Without patient data');
  const saved = await savePicture(page);
  expect(saved.name).toMatch(new RegExp(`^US-series-\\d+-image-${number}\\.png$`));
  expect(difference(await pictureIn(page, saved.png), screenshot, 0, isInside(screenshot))).toBe(0);
  expect(complaints).toEqual([]);
});

test('planes and fusions are saved as shown, but only when complete', async ({ page }) => {
  const files = [
    ...petCt({
      seed: 'picture pet',
      patient: patientOf('E2E-PICTURE-PET'),
      studyDate: '20261112',
      accessionNumber: 'PIC-3',
      slices: 30,
      size: 64,
    }),
  ];
  const gate = Promise.withResolvers<void>();
  await signIn(page, 'radiologist');
  await upload(page, files);
  let count = 0;
  await page.route(/\/frames\//, async (route) => {
    count += 1;
    if (count === 3) await gate.promise;
    await route.continue();
  });
  await page.goto(`/mpr/${uidOf(files)}`);
  const axial = page.getByRole('region', { name: 'Axial' });
  await expect(axial.getByText(/^W \d/)).toBeVisible();
  await page.keyboard.press(';');
  await expect(page.getByText(/slices? (is|are) missing and hatched/)).toBeVisible();
  gate.resolve();
  await expect(page.getByRole('status').filter({ hasText: 'slices' })).toHaveCount(0, { timeout: 60_000 });
  await page.mouse.move(5, 5);

  const screenshot = await pictureOn(page, axial);
  await askForPicture(page);
  await leaveDrawnOut(page);
  const plane = await savePicture(page);
  expect(plane.name).toMatch(/-axial\.png$/);
  expect(difference(await pictureIn(page, plane.png), screenshot, 0, isInside(screenshot))).toBe(0);

  await page.goto(`/petct/${uidOf(files)}`);
  const fused = page.getByRole('region', { name: 'Fused', exact: true });
  await expect(fused.locator('canvas').first()).toBeVisible();
  await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0, { timeout: 60_000 });
  await fused.click({ position: { x: 60, y: 60 } });
  await page.mouse.move(5, 5);
  const both = await pictureOn(page, fused);
  await askForPicture(page);
  await leaveDrawnOut(page);
  const fusion = await savePicture(page);
  expect(fusion.name).toMatch(/^CT-PT-series-.*fused\.png$/);
  expect(difference(await pictureIn(page, fusion.png), both, 0, isInside(both))).toBe(0);
});
