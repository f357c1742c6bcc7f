import { expect, type Locator, type Page, test } from '@playwright/test';
import { side, smallStack, studyUidOf } from '../src/small-stacks.ts';
import { complaintsOf } from '../src/steps.ts';
import { imageNumber, pane, store } from '../src/stack-steps.ts';
import { pictureOn } from '../src/viewer-steps.ts';

const views = [
  ['R', 'CC'],
  ['L', 'CC'],
  ['R', 'MLO'],
  ['L', 'MLO'],
] as const;

/** Four views of one date. `spacing` is the pixel spacing in mm. It also sets the size of each image. */
const mammogram = (study: string, StudyDate: string, spacing: number) =>
  smallStack(study, 'MG', views.length, (index) => {
    const [ImageLaterality = 'R', ViewPosition = 'CC'] = views[index] ?? [];
    return {
      elements: {
        PatientID: 'E2E-MAMMO',
        PatientName: 'Mammo^Maria',
        Modality: 'MG',
        StudyDate,
        StudyTime: '100000',
        ImageLaterality,
        ViewPosition,
        PatientOrientation: [ImageLaterality === 'R' ? 'P' : 'A', ViewPosition === 'MLO' ? 'F' : 'L'],
        PixelSpacing: [spacing, spacing],
        ImagePositionPatient: undefined,
        ImageOrientationPatient: undefined,
        FrameOfReferenceUID: undefined,
      },
    };
  });

/** Width of the image on the canvas of a pane, and its distances from the edges, in canvas pixels. */
const extentIn = async (page: Page, within: Locator) => {
  const picture = await pictureOn(page, within);
  const y = picture.height / 2 + 3;
  const lit = Array.from({ length: picture.width }, (_, x) => x).filter((x) => picture.at({ x, y }).red > 4);
  const [first = 0, last = 0] = [lit[0], lit.at(-1)];
  return { width: last - first + 1, left: first, right: picture.width - 1 - last };
};

test('a mammogram hangs above its prior at the same scale, chest walls together, and the reader can turn that off', async ({
  page,
}) => {
  const complaints = complaintsOf(page);
  const [current, prior] = ['mammogram now', 'mammogram before'];
  await store(page, [...mammogram(current, '20261101', 2), ...mammogram(prior, '20251101', 1.5)]);
  await page.goto(`/viewer/${studyUidOf(current)}`);
  await expect(page.getByText('PRIOR 2025-11-01', { exact: false })).toHaveCount(views.length);
  await expect(page.getByTestId('view-name')).toHaveText([...views, ...views].map((names) => names.join(' ')));

  await expect.poll(async () => (await extentIn(page, pane(page, 'Viewport 5'))).right).toBeLessThan(2);
  const [right, left, priorRight, priorLeft] = await Promise.all(
    [1, 2, 5, 6].map((number) => extentIn(page, pane(page, `Viewport ${number}`))),
  );
  expect(side * 2).toBe(128);
  expect((priorRight?.width ?? 0) / (right?.width ?? 0)).toBeCloseTo(1.5 / 2, 1);
  expect(priorRight?.left).toBeGreaterThan(20);
  expect(priorLeft?.left).toBeLessThan(2);
  expect([right?.right, left?.left].every((distance = 99) => distance < 2)).toBe(true);

  await test.step('a narrow space shows the views in four rows', async () => {
    await page.setViewportSize({ width: 760, height: 1100 });
    const [first, third] = [await pane(page, 'Viewport 1').boundingBox(), await pane(page, 'Viewport 3').boundingBox()];
    expect(third?.x).toBe(first?.x);
    await expect.poll(async () => (await extentIn(page, pane(page, 'Viewport 5'))).right).toBeLessThan(2);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  await test.step('without the prior, the four views hang alone', async () => {
    await page.getByRole('button', { name: 'Layout', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Prior of the same kind' }).click();
    await page.keyboard.press('Escape');
    await expect(imageNumber(page)).toHaveCount(views.length);
    await page.reload();
    await expect(imageNumber(page)).toHaveCount(views.length);
    await expect(page.getByText('PRIOR 2025-11-01', { exact: false })).toHaveCount(0);
  });
  expect(complaints).toEqual([]);
});
