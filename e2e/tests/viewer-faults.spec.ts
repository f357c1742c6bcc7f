import { expect, test } from '@playwright/test';
import { side, smallPet, smallStack, studyUidOf } from '../src/small-stacks.ts';
import { expectShown, imageNumber, openPlanes, store, toStandard } from '../src/stack-steps.ts';
import { drag, measurements, openViewer, pictureOn, placementOf, scrollTo, upload } from '../src/viewer-steps.ts';

test('single images and images without pixel size are shown and measured in pixels, but not used as volumes', async ({
  page,
}) => {
  await test.step('a single image is shown and makes no volume', async () => {
    await store(page, [...smallStack('single', 'CT', 1), ...smallPet('single', 1)]);
    await openViewer(page, studyUidOf('single'));
    await expect(imageNumber(page)).toHaveText('1 / 1');

    await openPlanes(page, 'single');
    await expect(page.getByText('The series has 1 image. A volume needs at least 3 slices.').first()).toBeVisible();
    await expect(toStandard(page)).toBeVisible();

    await page.goto(`/petct/${studyUidOf('single')}`);
    await expect(
      page.getByText(/cannot be fused\. The series has 1 image\. A volume needs at least 3 slices\./),
    ).toBeVisible();
    await toStandard(page).click();
    await expect(imageNumber(page)).toHaveText('1 / 1');
  });

  for (const [spacing, written] of [
    ['no', undefined],
    ['a zero', [0, 0]],
  ] as const) {
    await test.step(`an image with ${spacing} pixel size is measured in pixels`, async () => {
      const study = `${spacing} spacing`;
      const files = smallStack(study, 'CT', 4, () => ({ elements: { PixelSpacing: written } }));
      await upload(page, files);
      await openViewer(page, studyUidOf(study));
      await scrollTo(page, 2);
      const { of } = placementOf(await pictureOn(page), { rows: side, columns: side });
      await page.keyboard.press('l');
      await drag(page, of({ row: 30, column: 20 }), of({ row: 30, column: 50 }));
      await expect(measurements(page)).toHaveText(/^(29\.[89]|30(\.[012])?) px$/);
    });
  }

  await test.step('images without a pixel size have no planes', async () => {
    await openPlanes(page, 'a zero spacing');
    await expect(page.getByText(/No pixel spacing in images 1, 2, 3, and 4\./).first()).toBeVisible();
    await expect(toStandard(page)).toBeVisible();
    await expect(page.locator('canvas.cornerstone-canvas')).toHaveCount(0);
  });
});

test('without WebGL 2 the standard viewer draws on the CPU, and the other viewers link to it', async ({ page }) => {
  await page.addInitScript(() => {
    for (const { prototype } of [HTMLCanvasElement, OffscreenCanvas]) {
      Object.defineProperty(prototype, 'getContext', {
        value: new Proxy(Reflect.get(prototype, 'getContext'), {
          apply: (getContext, canvas, args) => (args[0] === 'webgl2' ? null : Reflect.apply(getContext, canvas, args)),
        }),
      });
    }
  });
  const files = [...smallStack('no webgl', 'CT', 4), ...smallPet('no webgl', 4)];
  await store(page, files);
  await openViewer(page, studyUidOf('no webgl'));
  await expect(page.getByText(/Images are drawn slowly, without the graphics card/)).toBeVisible();
  await scrollTo(page, 3);
  await expectShown(page, files[2]);

  await openPlanes(page, 'no webgl');
  await expect(page.getByText('MPR needs WebGL 2, which this browser does not support')).toBeVisible();
  await toStandard(page).click();
  await expect(imageNumber(page)).toBeVisible();

  await page.goto(`/petct/${studyUidOf('no webgl')}`);
  await expect(page.getByText('This browser does not support WebGL 2')).toBeVisible();
  await toStandard(page).click();
  await expect(imageNumber(page)).toBeVisible();
});
