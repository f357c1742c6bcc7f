import { readFile } from 'node:fs/promises';
import { expect, type Page, test } from '@playwright/test';
import { type DicomJson, itemsOf, numberOf, textOf, valuesOf } from '@radwork/dicom/dataset';
import { readHeader } from '@radwork/dicom/header';
import { ctVolume } from '@radwork/phantom/studies';
import { ctTruth } from '@radwork/phantom/known-values';
import { complaintsOf, signIn } from '../src/steps.ts';
import { drag, openViewer, pictureOn, placementOf, scrollTo, upload } from '../src/viewer-steps.ts';

const study = {
  seed: 'measurement report',
  patient: { PatientName: 'Export^Eva', PatientID: 'E2E-SR', PatientBirthDate: '19610203', PatientSex: 'F' },
  studyDate: '20261112',
  accessionNumber: 'E2E-SR',
  slices: 4,
  size: 128,
} as const;

const shapeIn = (report: DicomJson) => {
  const [shape = {}] = itemsBelow(report).filter((item) => textOf(item, 'ValueType') === 'SCOORD');
  return { shape, drawn: valuesOf(shape, 'GraphicData').map(Number) };
};

type Pixel = { column: number; row: number };

/** Compares line ends. Mouse positions are whole screen pixels, so a tolerance is needed. */
const expectEnds = (drawnPoints: readonly number[], from: Pixel, to: Pixel) => {
  expect(drawnPoints).toHaveLength(4);
  for (const [at, expected] of [from.column, from.row, to.column, to.row].entries()) {
    expect(Math.abs((drawnPoints[at] ?? NaN) - (expected + 0.5))).toBeLessThan(0.75);
  }
};

const menu = (page: Page) => page.getByRole('button', { name: 'DICOM measurement report' });

/** All items in the content tree of a report. */
const itemsBelow = (item: DicomJson): DicomJson[] =>
  itemsOf(item, 'ContentSequence').flatMap((child) => [child, ...itemsBelow(child)]);

test('a line is exported as a DICOM report with its position and length', async ({ page }) => {
  const complaints = complaintsOf(page);
  const files = [...ctVolume(study)];
  const slice = files[2];
  const plane = ctTruth.planes(study)[2];
  if (!slice || !plane) throw new Error('There are four slices');
  const { studyInstanceUID, sopInstanceUID } = readHeader(slice.bytes);
  await signIn(page, 'radiologist');
  await upload(page, files);
  await openViewer(page, studyInstanceUID);
  await page.keyboard.press('k');
  await menu(page).click();
  await expect(page.getByRole('menuitem', { name: 'Download DICOM SR' })).toBeDisabled();
  await page.keyboard.press('Escape');

  await scrollTo(page, 3);
  const [from, to] = [
    { column: 40, row: 60 },
    { column: 72, row: 84 },
  ];
  const placement = placementOf(await pictureOn(page), plane);
  await page.keyboard.press('l');
  await drag(page, placement.of(from), placement.of(to));
  await expect(page.getByRole('button', { name: /^Length 1\d\d(\.\d)? mm/ })).toBeVisible();

  const download = await test.step('the report of the line is downloaded as a file', async () => {
    await menu(page).click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Download DICOM SR' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('measurements-E2E-SR.dcm');
    return readHeader(await readFile(await file.path()));
  });
  const items = itemsBelow(download.dataset);
  const { shape: line, drawn } = shapeIn(download.dataset);
  expectEnds(drawn, from, to);
  const [reference = {}] = itemsOf(itemsBelow(line)[0] ?? {}, 'ReferencedSOPSequence');
  expect(textOf(reference, 'ReferencedSOPInstanceUID')).toBe(sopInstanceUID);
  const [value = {}] = items.flatMap((item) => itemsOf(item, 'MeasuredValueSequence'));
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = drawn;
  expect(numberOf(value, 'FloatingPointValue')).toBeCloseTo(Math.hypot(x1 - x0, y1 - y0) * plane.pixelSpacing, 2);

  await test.step('the report of the line is stored as a series of the study', async () => {
    await menu(page).click();
    await page.getByRole('menuitem', { name: 'Store in the study' }).click();
    await page.getByRole('button', { name: 'Store in the study' }).click();
    await expect(page.getByText('Measurements stored in the study')).toBeVisible();
    const token = await page.evaluate(() => localStorage.getItem('token'));
    const answer = await page.request.get(`/api/qido-rs/studies/${studyInstanceUID}/series?Modality=SR`, {
      headers: { authorization: `Bearer ${token}`, accept: 'application/dicom+json' },
    });
    expect(await answer.json()).toHaveLength(1);
  });
  expect(complaints).toEqual([]);
});
