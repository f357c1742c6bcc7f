import { expect, type Page, test } from '@playwright/test';
import { readHeader } from '@radwork/dicom/header';
import { ctVolume, ultrasoundCine } from '@radwork/phantom/studies';
import { ctTruth, pixelOf, sliceThrough, usTruth } from '@radwork/phantom/known-values';
import { complaintsOf, signIn } from '../src/steps.ts';
import {
  clickOn,
  drag,
  dragThrough,
  measurements,
  openViewer,
  pictureOn,
  placementOf,
  scrollTo,
  upload,
} from '../src/viewer-steps.ts';

const patient = {
  PatientName: 'Measure^Mara',
  PatientID: 'E2E-MEASURE',
  PatientBirthDate: '19610203',
  PatientSex: 'F',
} as const;

const panel = (page: Page) => page.getByRole('complementary', { name: 'Measurements' });

test('measurements are stored with the study, for their author and the next reader', async ({ page, browser }) => {
  const complaints = complaintsOf(page);
  const files = [...ultrasoundCine({ seed: 'measure', patient, studyDate: '20261112', accessionNumber: 'MEASURE' })];
  const studyUid = files[0] ? readHeader(files[0].bytes).studyInstanceUID : '';
  await signIn(page, 'radiologist');
  await upload(page, files);
  await openViewer(page, studyUid);
  await page.keyboard.press('k');
  await expect(panel(page).getByText('No measurements yet.')).toBeVisible();

  await test.step('a line on the third frame is listed in the unit of its region', async () => {
    await scrollTo(page, 3);
    const placement = placementOf(await pictureOn(page), usTruth);
    const [first, second] = usTruth.calipers.pixels.map(([column, row]) => placement.of({ row, column }));
    if (!first || !second) throw new Error('There are two calipers');
    await page.keyboard.press('l');
    await drag(page, first, second);
    await expect(panel(page).getByRole('button', { name: /^Length (3\.9\d|4(\.0\d)?) cm/ })).toBeVisible();
    await panel(page).getByLabel('Label of Length').fill('Left kidney');
    await page.keyboard.press('Enter');
  });
  await expect(measurements(page)).toContainText('Left kidney');
  const words = await measurements(page).textContent();
  const [length = ''] = /[\d.]+ cm/.exec(words ?? '') ?? [];

  await test.step('a colleague sees the line and cannot delete it', async () => {
    const context = await browser.newContext();
    const colleague = await context.newPage();
    await signIn(colleague, 'reviewer');
    await openViewer(colleague, studyUid);
    await colleague.keyboard.press('k');
    await expect(panel(colleague).getByText('Left kidney')).toBeVisible();
    await panel(colleague)
      .getByRole('button', { name: /^Length/ })
      .click();
    await expect(measurements(colleague)).toHaveText(words ?? '');
    await colleague.keyboard.press('Delete');
    await expect(measurements(colleague)).toHaveCount(1);
    await expect(panel(colleague).getByRole('button', { name: /^Delete/ })).toHaveCount(0);

    await test.step('the colleague immediately sees that the author deleted the line', async () => {
      await panel(page)
        .getByRole('button', { name: /^Delete Length/ })
        .click();
      await expect(panel(colleague).getByText('No measurements yet.')).toBeVisible();
      await expect(measurements(colleague)).toHaveCount(0);
    });
    await context.close();
  });

  await test.step('a key restores the line, and after a reload the line is on the same frame', async () => {
    await page.keyboard.press('Backspace');
    await expect(panel(page).getByRole('button', { name: /^Length/ })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Undo measurement change' })).toBeVisible();
    await page.reload();
    await expect(panel(page).getByLabel('Label of Length')).toHaveValue('Left kidney');
    await expect(measurements(page)).toHaveCount(0);
    await panel(page)
      .getByRole('button', { name: /^Length/ })
      .click();
    await expect(page.getByTestId('image-number')).toHaveText(/^3 \//);
    await expect(measurements(page)).toHaveText(words ?? '');
  });

  await test.step('undoing a change on another image shows that image', async () => {
    const label = panel(page).getByLabel('Label of Length');
    await label.fill('Right kidney');
    await label.press('Enter');
    await label.blur();
    await scrollTo(page, 6);
    await page.keyboard.press('Backspace');
    await expect(page.getByText(/Undone on another image.*which is now shown/)).toBeVisible();
    await expect(page.getByTestId('image-number')).toHaveText(/^3 \//);
    await expect(label).toHaveValue('Left kidney');
  });

  await test.step('the measurement is inserted into the report as a table', async () => {
    await page.keyboard.press('n');
    await page.getByRole('button', { name: 'Create report' }).click();
    await page.getByRole('button', { name: 'Insert measurements' }).click();
    const table = page.getByRole('textbox', { name: 'Report text' }).locator('table');
    await expect(table.locator('tr').nth(1)).toContainText('Left kidney');
    await expect(table.locator('tr').nth(1)).toContainText(length);
  });
  expect(complaints).toEqual([]);
});

test('an outline, an arrow and a text are stored with their image, and a magnifier enlarges the image', async ({
  page,
}) => {
  page.setDefaultTimeout(15_000);
  const complaints = complaintsOf(page);
  const files = [...ctVolume({ seed: 'outline', patient, studyDate: '20261112', accessionNumber: 'OUTLINE' })];
  const sphere = ctTruth.spheres.find(({ name }) => name === 'liver cyst');
  const planes = ctTruth.planes({});
  const slice = sphere ? sliceThrough(sphere.centre, planes) : 0;
  const plane = planes[slice];
  if (!sphere || !plane) throw new Error('There is a cyst in the liver');
  await signIn(page, 'radiologist');
  await upload(page, files);
  await openViewer(page, files[0] ? readHeader(files[0].bytes).studyInstanceUID : '');
  await page.keyboard.press('k');
  await scrollTo(page, slice + 1);
  const placement = placementOf(await pictureOn(page), plane);
  const centre = pixelOf(sphere.centre, plane);
  /** Canvas position relative to the center of the cyst, in mm. */
  const around = (x: number, y: number) =>
    placement.of({ row: centre.row + y / plane.pixelSpacing, column: centre.column + x / plane.pixelSpacing });

  await test.step('an outline shows its area and the values inside', async () => {
    const radius = 0.6 * sphere.radius;
    const turn = Array.from({ length: 25 }, (_, step) => (step / 24) * 2 * Math.PI);
    await page.keyboard.press('j');
    await dragThrough(
      page,
      turn.map((angle) => around(radius * Math.cos(angle), radius * Math.sin(angle))),
      { pause: 30 },
    );
    const entry = panel(page).getByRole('button', { name: /^Outline/ });
    await expect(entry).toBeVisible();
    const [, area = '', mean = ''] = /([\d.]+) mm² · (-?[\d.]+) HU/.exec((await entry.textContent()) ?? '') ?? [];
    expect(Math.abs(Number(area) / (Math.PI * radius ** 2) - 1)).toBeLessThan(0.05);
    expect(Math.abs(Number(mean) - sphere.hounsfield)).toBeLessThan(3);
  });

  await test.step('an arrow or a text is saved only after the user types its words', async () => {
    await page.keyboard.press('y');
    await drag(page, around(sphere.radius, 0), around(40, -40));
    await page.getByLabel('Text at the arrow').fill('Cyst');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.keyboard.press('"');
    await clickOn(page, around(-60, -40));
    await expect(page.getByLabel('Text on the image')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await clickOn(page, around(-60, -60));
    await page.getByLabel('Text on the image').fill('Compare with May');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(panel(page).getByRole('button', { name: /^Arrow/ })).toBeVisible();
    await expect(panel(page).getByRole('button', { name: /^Text/ })).toHaveCount(1);
    await page.keyboard.press('Escape');
    await expect(measurements(page).getByText('Compare with May')).toBeVisible();
  });

  await test.step('selecting another tool cancels a line with one point', async () => {
    const strokes = page.locator('svg.svg-layer line');
    const before = await strokes.count();
    await page.keyboard.press('l');
    await clickOn(page, around(-40, 60));
    // The library first waits whether a click becomes a double click.
    await expect(strokes).not.toHaveCount(before);
    await page.keyboard.press('w');
    await expect(strokes).toHaveCount(before);
    await drag(page, around(0, 60), around(30, 65));
    await page.keyboard.press('l');
    await clickOn(page, around(-40, 60));
    await expect(strokes).not.toHaveCount(before);
    await page.keyboard.press('ArrowDown');
    await scrollTo(page, slice + 1);
    await expect(strokes).toHaveCount(before);
    const lines = panel(page).getByRole('button', { name: /^Length/ });
    await page.keyboard.press('l');
    await drag(page, around(-20, 80), around(20, 80));
    await expect(lines).toHaveCount(1);
    await expect(lines).toContainText(/(39\.\d|40(\.\d)?) mm/);
    await page.keyboard.press('Backspace');
    await expect(lines).toHaveCount(0);
    await expect(measurements(page)).toHaveCount(3);
    await expect(panel(page).getByRole('button', { name: /^(Outline|Arrow|Text)/ })).toHaveCount(3);
  });

  await test.step('a magnifier enlarges the image under it while the button is held', async () => {
    const corner = await page.locator('canvas.cornerstone-canvas').first().boundingBox();
    await page.keyboard.press('g');
    const { x, y } = around(0, 0);
    await page.mouse.move((corner?.x ?? 0) + x, (corner?.y ?? 0) + y);
    await page.mouse.down();
    await expect(page.locator('.magnifyTool')).toBeVisible();
    await page.mouse.up();
    await expect(page.locator('.magnifyTool')).toHaveCount(0);
  });

  await test.step('outline, arrow and text are still there after a reload', async () => {
    await page.reload();
    await panel(page)
      .getByRole('button', { name: /^Outline/ })
      .click();
    await expect(measurements(page)).toHaveCount(3);
    await expect(measurements(page).getByText('Compare with May')).toBeVisible();
    await expect(measurements(page).getByText('Cyst', { exact: true })).toBeVisible();
    await expect(measurements(page).getByText(/mm²/)).toBeVisible();
    await expect(measurements(page).getByText(/HU ±/)).toBeVisible();
  });
  expect(complaints).toEqual([]);
});
