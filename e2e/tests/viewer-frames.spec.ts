import { expect, type Page, test } from '@playwright/test';
import { readHeader } from '@radwork/dicom/header';
import { ultrasoundCine } from '@radwork/phantom/studies';
import { damaged, damagedStack, compressions, wholeStack } from '../src/damaged-stacks.ts';
import { smallPet, smallStack, studyUidOf } from '../src/small-stacks.ts';
import {
  expectShown,
  framesOf,
  fusionIsThere,
  imageNumber,
  openPlanes,
  pane,
  part,
  planesAreThere,
  refuse,
  store,
  veil,
} from '../src/stack-steps.ts';
import { password } from '../src/steps.ts';
import { openViewer, pictureOn, upload } from '../src/viewer-steps.ts';

// Clips play only if reduced motion is off.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

/** Share of the pixels of a plane that are hatched. Images are gray, and the hatch is blue. */
const hatchedShare = async (page: Page, name: string): Promise<number> => {
  const { width, height, at } = await pictureOn(page, pane(page, name));
  let hatched = 0;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const { red, blue } = at({ x, y });
      if (blue - red > 8) hatched += 1;
    }
  }
  return hatched / (width * height);
};

/** Expects the error to cover the whole image opaquely. */
const expectCovered = async (page: Page) => {
  await expect(veil(page)).toBeVisible();
  const [above, below] = [
    await veil(page).boundingBox(),
    await page.locator('canvas.cornerstone-canvas').first().boundingBox(),
  ];
  if (!above || !below) throw new Error('There is nothing');
  expect(above.x).toBeLessThanOrEqual(below.x);
  expect(above.y).toBeLessThanOrEqual(below.y);
  expect(above.x + above.width).toBeGreaterThanOrEqual(below.x + below.width);
  expect(above.y + above.height).toBeGreaterThanOrEqual(below.y + below.height);
  await expect(veil(page)).toHaveCSS('background-color', 'rgb(0, 0, 0)');
  await expect(veil(page)).toHaveCSS('opacity', '1');
};

test('a missing frame is covered in the standard viewer and named in the other viewers, and Retry loads it', async ({
  page,
}) => {
  test.setTimeout(300_000);
  await test.step('the standard viewer shows the frames that are not missing', async () => {
    const files = smallStack('frame standard', 'CT', 4);
    await store(page, files);
    const restore = await refuse(page, framesOf(part(files, 1)), 500);
    await openViewer(page, studyUidOf('frame standard'));
    await expectShown(page, files[0]);

    await page.keyboard.press('ArrowDown');
    await expect(veil(page)).toContainText('Image 2 could not be shown');
    await expect(veil(page)).toContainText('The server is busy or failed (status 500). Try again in a moment.');
    await expectCovered(page);

    await page.keyboard.press('ArrowDown');
    await expect(imageNumber(page)).toHaveText('3 / 4');
    await expect(veil(page)).toHaveCount(0);
    await expectShown(page, files[2]);

    await page.keyboard.press('ArrowUp');
    await expectCovered(page);
    await restore();
    await veil(page).getByRole('button', { name: 'Retry' }).click();
    await expect(imageNumber(page)).toHaveText('2 / 4');
    await expect(veil(page)).toHaveCount(0);
    await expectShown(page, files[1]);
  });

  await test.step('a clip plays past a missing frame, and names it when paused there', async () => {
    const frames = 6;
    const files = [
      ...ultrasoundCine({
        seed: 'faults film',
        patient: { PatientName: 'Fault^Fiona', PatientID: 'E2E-FAULT', PatientBirthDate: '19610203', PatientSex: 'F' },
        studyDate: '20261112',
        accessionNumber: 'FAULT-FILM',
        slices: frames,
      }),
    ];
    await upload(page, files);
    const restore = await refuse(page, /\/frames\/3$/, 404);
    await page.goto(`/usviewer/${files[0] ? readHeader(files[0].bytes).studyInstanceUID : ''}`);
    await expect(imageNumber(page)).toBeVisible();
    const numbersSeen = new Set<string>();
    await expect
      .poll(async () => numbersSeen.add((await imageNumber(page).textContent()) ?? '').size, { intervals: [40] })
      .toBe(frames - 1);
    expect([...numbersSeen]).not.toContain(`3 / ${frames}`);

    await page.keyboard.press(' ');
    await page.keyboard.press('Home');
    await page.keyboard.press('.');
    await expect(imageNumber(page)).toHaveText(`2 / ${frames}`);
    await page.keyboard.press('.');
    await expect(veil(page)).toContainText('Frame 3 could not be shown');
    await expect(veil(page)).toContainText('The image was deleted, or you have no access to it (status 404).');
    await expectCovered(page);
    await restore();
    await veil(page).getByRole('button', { name: 'Retry' }).click();
    await expect(veil(page)).toHaveCount(0);
    await expect(imageNumber(page)).toHaveText(`3 / ${frames}`);
  });

  await test.step('the planes viewer names the missing frame, and is complete after Retry', async () => {
    const files = smallStack('frame planes', 'CT', 6);
    await upload(page, files);
    const restore = await refuse(page, framesOf(part(files, 1, 4)), 500);
    await openPlanes(page, 'frame planes');
    const notice = page.getByText('2 of 6 slices could not be loaded and are hatched: images 2 and 5.');
    await expect(notice).toBeVisible();
    await expect(page.getByText(/The server is busy or failed \(status 500\)\./)).toBeVisible();
    // The axial plane lies on a slice that arrived. The other planes cut all slices, of which a third is missing.
    const shares = () => Promise.all(['Axial', 'Coronal'].map((name) => hatchedShare(page, name)));
    await expect.poll(async () => (await shares())[1]).toBeGreaterThan(0);
    expect((await shares())[0]).toBe(0);

    await restore();
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(notice).toHaveCount(0);
    await planesAreThere(page);
    await expect(notice).toHaveCount(0);
    await expect.poll(shares).toEqual([0, 0]);
  });

  await test.step('the fusion viewer names the missing frame, and is complete after Retry', async () => {
    const ct = smallStack('frame fusion', 'CT', 5);
    const pet = smallPet('frame fusion', 5);
    await upload(page, [...ct, ...pet]);
    const restore = await refuse(page, framesOf([...part(ct, 1), ...part(pet, 2)]), 404);
    await page.goto(`/petct/${studyUidOf('frame fusion')}`);
    const noticeOf = (name: string, image: number) =>
      page.getByText(
        `1 of 5 images of ${name} could not be loaded. They are hatched and not measured: image ${image}.`,
      );
    await expect(noticeOf('CT', 2)).toBeVisible();
    await expect(noticeOf('PET', 3)).toBeVisible();

    await restore();
    await page.getByRole('button', { name: 'Retry' }).first().click();
    await expect(noticeOf('CT', 2)).toHaveCount(0);
    await page.getByRole('button', { name: 'Retry' }).first().click();
    await expect(noticeOf('PET', 3)).toHaveCount(0);
    await fusionIsThere(page);
  });

  await test.step('the volume rendering waits for the missing frame', async () => {
    const files = smallStack('frame volume', 'CT', 6);
    // A small window, since every ray takes long without a graphics card.
    await page.setViewportSize({ width: 760, height: 560 });
    await upload(page, files);
    const arrived = Promise.withResolvers<void>();
    await page.route(framesOf(part(files, 4)), async (route) => {
      await arrived.promise;
      await route.continue();
    });
    await openPlanes(page, 'frame volume');
    await expect(page.getByText('5 of 6 slices')).toBeVisible();
    await page.keyboard.press('0');
    await expect(page.getByRole('button', { name: 'Waiting for all slices…' })).toBeVisible();
    await expect(pane(page, 'Volume rendering')).toHaveCount(0);
    arrived.resolve();
    await expect(pane(page, 'Volume rendering').locator('canvas.cornerstone-canvas')).toBeVisible();
  });
});

test('for each compression, a corrupt image is covered with the reason, and a message above the planes names it', async ({
  page,
}) => {
  test.setTimeout(300_000);
  const studyOf = (way: (typeof compressions)[number]) => `corrupt ${way.name}`;
  await store(page, (await Promise.all(compressions.map((way) => damagedStack(studyOf(way), way)))).flat());
  for (const way of compressions) {
    const study = studyOf(way);
    await openViewer(page, studyUidOf(study));
    for (const [index, intact] of wholeStack(study, way).entries()) {
      await test.step(`with ${way.name}, image ${index + 1} is shown, or covered with the reason if it is corrupt`, async () => {
        if (!damaged.includes(index)) {
          await expect(imageNumber(page)).toHaveText(`${index + 1} / 6`);
          await expect(veil(page)).toHaveCount(0);
          await expectShown(page, intact);
        } else {
          await expect(veil(page)).toContainText(`Image ${index + 1} could not be shown`);
          await expect(veil(page)).toContainText('The image is damaged, or this browser cannot decode it.');
          await expectCovered(page);
          // The message is checked only once, because error messages disappear automatically.
          expect(await page.getByText('Something went wrong').count()).toBe(0);
        }
        await page.keyboard.press('ArrowDown');
      });
    }
    await page.keyboard.press('Home');
    await expectShown(page, wholeStack(study, way)[0]);
  }

  await test.step('a message above the planes names the corrupt images', async () => {
    const [way] = compressions;
    if (!way) throw new Error('There is a way to compress');
    await openPlanes(page, studyOf(way));
    await expect(
      page.getByText('3 of 6 slices could not be loaded and are hatched: images 2, 4, and 5.'),
    ).toBeVisible();
  });
});

test('after the session ended, loading a frame leads to sign-in, and no image stays on the page', async ({ page }) => {
  const files = smallStack('session', 'CT', 4);
  await store(page, files);
  await page.route(framesOf(part(files, 2)), (route) => route.abort());
  await openViewer(page, studyUidOf('session'));
  await expectShown(page, files[0]);
  await page.unroute(framesOf(part(files, 2)));
  await refuse(page, framesOf(files), 401);

  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');

  await expect(page).toHaveURL(/\/login/);
  await expect(page.locator('canvas')).toHaveCount(0);
  await expect(page.getByText('Fault')).toHaveCount(0);

  await page.evaluate(() => Object.assign(window, { sameAsBefore: true }));
  await page.unroute(framesOf(files));
  await page.getByLabel('Username').fill('reviewer');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.locator('canvas').first()).toBeVisible();
  // Another user starts with a fresh page.
  expect(await page.evaluate(() => Reflect.get(window, 'sameAsBefore'))).toBeUndefined();
});
