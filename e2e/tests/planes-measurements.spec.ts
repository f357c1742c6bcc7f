import { readFile } from 'node:fs/promises';
import { expect, type Page, test } from '@playwright/test';
import { type DicomJson, itemsOf, textOf, valuesOf } from '@radwork/dicom/dataset';
import { readHeader } from '@radwork/dicom/header';
import { ctVolume } from '@radwork/phantom/studies';
import { ctTruth } from '@radwork/phantom/known-values';
import {
  complete,
  enlarge,
  expectBallIn,
  goTo,
  type Name,
  names,
  openPlanes,
  pane,
  placementOn,
  placeOf,
  uidOf,
} from '../src/plane-steps.ts';
import { complaintsOf, signIn } from '../src/steps.ts';
import { clickOn, drag, measurements, openViewer, pictureOn } from '../src/viewer-steps.ts';

const study = {
  seed: 'planes measured',
  patient: { PatientName: 'Plane^Paula', PatientID: 'E2E-PLANES', PatientBirthDate: '19610203', PatientSex: 'F' },
  studyDate: '20261112',
  accessionNumber: 'PLANES',
} as const;

const { centre, radius } = ctTruth.measuringBall;
const fifty = /^(49\.[789]|50(\.[0123])?) mm$/;

const panel = (page: Page) => page.getByRole('complementary', { name: 'Measurements' });
const entries = (page: Page) => panel(page).getByRole('button', { name: /^Length/ });
const entryOf = (page: Page, words: string) => entries(page).filter({ hasText: words });

/** Maximizes a plane, checks the edges of the sphere, and measures its diameter: 50 mm. */
const measureBall = async (page: Page, name: Name) => {
  const small = await pictureOn(page, pane(page, name));
  await page.keyboard.press('x');
  await clickOn(page, placementOn(name, small).of(placeOf(name, centre)), pane(page, name));
  await enlarge(page, name);
  await expectBallIn(page, name, ctTruth.measuringBall);
  const { of } = placementOn(name, await pictureOn(page, pane(page, name)));
  const { row, column } = placeOf(name, centre);
  await page.keyboard.press('l');
  await drag(page, of({ row, column: column - radius }), of({ row, column: column + radius }), pane(page, name));
  await expect(measurements(pane(page, name))).toHaveText(fifty);
  await page.keyboard.press('d');
};

/** All items in the content tree of a report. */
const itemsBelow = (item: DicomJson): DicomJson[] =>
  itemsOf(item, 'ContentSequence').flatMap((child) => [child, ...itemsBelow(child)]);

test('measurements on planes are stored with the study at their position in the patient', async ({ page, browser }) => {
  test.setTimeout(300_000);
  const complaints = complaintsOf(page);
  const files = [...ctVolume(study)];
  const studyUid = uidOf(files);
  await openPlanes(page, files);
  await complete(page);
  await page.keyboard.press('k');
  await expect(panel(page).getByText('No measurements yet.')).toBeVisible();
  await page.keyboard.press('9');
  await goTo(page, centre);

  for (const name of names) {
    await test.step(`a line on the ${name.toLowerCase()} plane measures 50 mm`, async () => {
      await measureBall(page, name);
      await expect(entryOf(page, `${name.toLowerCase()} plane`)).toBeVisible();
    });
  }
  await test.step('each measurement is visible only on its plane', async () => {
    for (const name of names) await expect(measurements(pane(page, name))).toHaveCount(1);
    await page.mouse.move(0, 0);
    await page.keyboard.press('PageDown');
    await expect(measurements(pane(page, 'Coronal'))).toHaveCount(0);
    await page.keyboard.press('PageUp');
    await expect(measurements(pane(page, 'Coronal'))).toHaveCount(1);
  });

  await test.step('a region stores its area and the values of its plane, as shown next to it', async () => {
    const { of } = placementOn('Sagittal', await pictureOn(page, pane(page, 'Sagittal')));
    const { row, column } = placeOf('Sagittal', centre);
    // The ellipse begins far enough from the line that the mouse does not grab the line.
    await page.keyboard.press('e');
    await drag(page, of({ row: row + 11, column }), of({ row: row + 19, column: column + 8 }), pane(page, 'Sagittal'));
    const entry = panel(page).getByRole('button', { name: /^Ellipse/ });
    await expect(entry).toContainText('HU');
    const [, area = '', mean = ''] = /([\d.]+) mm² · (-?[\d.]+) HU/.exec((await entry.textContent()) ?? '') ?? [];
    expect(Math.abs(Number(area) / (Math.PI * 8 ** 2) - 1)).toBeLessThan(0.15);
    expect(Math.abs(Number(mean) - ctTruth.measuringBall.hounsfield)).toBeLessThan(20);
    const beside = measurements(pane(page, 'Sagittal')).filter({ hasText: 'mm²' });
    await expect(beside).toContainText(`${area} mm²`);
    await expect(beside).toContainText(`${mean} HU`);
    await page.keyboard.press('Backspace');
    await expect(entry).toHaveCount(0);
    await expect(beside).toHaveCount(0);
  });

  await test.step('undo reverts the last change of a measurement', async () => {
    await entryOf(page, 'coronal plane').click();
    await page.keyboard.press('Delete');
    await expect(entryOf(page, 'coronal plane')).toHaveCount(0);
    await expect(measurements(pane(page, 'Coronal'))).toHaveCount(0);
    await page.keyboard.press('Backspace');
    await expect(entryOf(page, 'coronal plane')).toBeVisible();
    await expect(measurements(pane(page, 'Coronal'))).toHaveText(fifty);
    await panel(page).getByLabel('Label of Length').first().fill('Ball');
    await panel(page).getByLabel('Label of Length').first().blur();
    await expect(measurements(pane(page, 'Axial'))).toContainText('Ball');
  });

  await test.step('a line on rotated planes is saved even if the page closes immediately', async () => {
    await page.keyboard.press('x');
    await clickOn(
      page,
      placementOn('Axial', await pictureOn(page, pane(page, 'Axial'))).of(placeOf('Axial', centre)),
      pane(page, 'Axial'),
    );
    for (let times = 0; times < 4; times += 1) await page.keyboard.press('.');
    const { width, height } = await pictureOn(page, pane(page, 'Coronal'));
    await page.keyboard.press('l');
    await drag(
      page,
      { x: width / 2 - 60, y: height / 2 + 30 },
      { x: width / 2 + 60, y: height / 2 + 30 },
      pane(page, 'Coronal'),
    );
    await page.reload();
    await complete(page);
    await expect(entryOf(page, 'oblique plane')).toBeVisible();
    await expect(entries(page)).toHaveCount(4);
  });

  await test.step('after a reload each list entry opens its plane, even if it is rotated', async () => {
    for (const name of names) {
      await entryOf(page, `${name.toLowerCase()} plane`).click();
      await expect(measurements(pane(page, name))).toHaveText(/(^|\D)(49\.[789]|50(\.[0123])?) mm$/);
    }
    await entryOf(page, 'oblique plane').click();
    const lengthText = /[\d.]+ mm/.exec((await entryOf(page, 'oblique plane').textContent()) ?? '')?.[0] ?? '';
    await expect(measurements(pane(page, 'Coronal'))).toHaveText(lengthText);
    await entryOf(page, 'axial plane').click();
    await entryOf(page, 'sagittal plane').click();
    await expect(measurements(pane(page, 'Sagittal'))).toHaveText(fifty);
  });

  await test.step('a colleague finds a measurement in the standard viewer and opens it on its plane', async () => {
    const context = await browser.newContext();
    const colleague = await context.newPage();
    await signIn(colleague, 'reviewer');
    await openViewer(colleague, studyUid);
    await colleague.keyboard.press('k');
    await expect(measurements(colleague)).toHaveCount(0);
    await expect(entryOf(colleague, 'coronal plane')).toContainText('opens in MPR');
    await entryOf(colleague, 'coronal plane').click();
    await complete(colleague);
    await expect(measurements(pane(colleague, 'Coronal'))).toHaveText(fifty);
    await colleague.keyboard.press('Delete');
    await expect(measurements(pane(colleague, 'Coronal'))).toHaveCount(1);
    await expect(panel(colleague).getByRole('button', { name: /^Delete/ })).toHaveCount(0);
    await context.close();
  });

  await test.step('the measurement is exported as DICOM SR in patient coordinates', async () => {
    await page.getByRole('button', { name: 'DICOM measurement report' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Download DICOM SR' }).click();
    const { dataset, sopClassUID } = readHeader(await readFile(await (await download).path()));
    expect(sopClassUID).toBe('1.2.840.10008.5.1.4.1.1.88.34');
    const lines = itemsBelow(dataset).filter((item) => textOf(item, 'ValueType') === 'SCOORD3D');
    expect(lines.map((line) => textOf(line, 'GraphicType'))).toEqual(Array.from({ length: 4 }, () => 'POLYLINE'));
    for (const line of lines.slice(0, 3)) {
      const [x1 = 0, y1 = 0, z1 = 0, x2 = 0, y2 = 0, z2 = 0] = valuesOf(line, 'GraphicData').map(Number);
      expect(Math.abs(Math.hypot(x2 - x1, y2 - y1, z2 - z1) - 50)).toBeLessThan(0.31);
      for (const [at, middle] of [(x1 + x2) / 2, (y1 + y2) / 2, (z1 + z2) / 2].entries()) {
        expect(Math.abs(middle - (centre[at] ?? NaN))).toBeLessThan(1);
      }
    }
  });

  await test.step('the measurement is inserted into the report as a table', async () => {
    // While the menu closes, it receives the keys.
    await expect(page.getByRole('menu')).toHaveCount(0);
    await page.keyboard.press('n');
    await page.getByRole('button', { name: 'Create report' }).click();
    await page.getByRole('button', { name: 'Insert measurements' }).click();
    const rows = page.getByRole('textbox', { name: 'Report text' }).locator('table tr');
    await expect(rows).toHaveCount(5);
    await expect(rows.nth(1)).toContainText('Ball');
    await expect(rows.nth(2)).toContainText('Length, sagittal plane');
  });
  // The library looks for a parallel slice and warns if it finds none.
  expect(complaints.filter((words) => !words.includes('No imageId found'))).toEqual([]);
});
