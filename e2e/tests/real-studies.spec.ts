import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { mainModality } from '@radwork/contract/core/modalities';
import { numberOf, textOf } from '@radwork/dicom/dataset';
import { type Header, readHeader } from '@radwork/dicom/header';
import { displayName } from '@radwork/dicom/person-name';
import { complaintsOf, signIn } from '../src/steps.ts';

const collection = resolve(import.meta.dirname, '../../../shared/dicom');
const isThere = existsSync(collection);
const because = isThere ? '' : ' (skipped: ../shared/dicom is not here)';

/** All files below a folder, or the file at the path. */
const filesAt = (path: string): string[] => {
  const fullPath = join(collection, path);
  if (!statSync(fullPath).isDirectory()) return [fullPath];
  return readdirSync(fullPath).flatMap((name) => filesAt(join(path, name)));
};

/** Uploaded files and folders by modality. */
const uploads = {
  CT: ['ct-chest-explicit'],
  MR: ['mr-multiseries-sr'],
  CR: ['pydicom/data/RG3_J2KI.dcm'],
  US: ['us-multiframe-colour/I_000034.dcm'],
  'PET/CT': ['petct-acrin042'],
};

/** Expected list row for the study of some files. */
const expectedRow = (headers: Header[]) => {
  const [first] = headers;
  if (!first) throw new Error('There are no files');
  const series = new Map(headers.map(({ seriesInstanceUID, dataset }) => [seriesInstanceUID, dataset]));
  const inOrder = [...series.values()].toSorted(
    (one, other) => (numberOf(one, 'SeriesNumber') ?? Infinity) - (numberOf(other, 'SeriesNumber') ?? Infinity),
  );
  const day = textOf(first.dataset, 'StudyDate') ?? '';
  return {
    patientId: textOf(first.dataset, 'PatientID') ?? '',
    patientName: displayName(textOf(first.dataset, 'PatientName') ?? ''),
    day: day.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3'),
    modality: mainModality(inOrder.map((dataset) => textOf(dataset, 'Modality') ?? 'OT')),
    seriesCount: series.size,
  };
};

const uploadThroughTheScreen = async (page: Page, files: string[]) => {
  await page.goto('/studies/create');
  await page.getByLabel('DICOM files', { exact: true }).setInputFiles(files);
  await page.getByRole('button', { name: /^Upload \d/ }).click();
  await expect(page.getByText(`Successfully processed files: ${files.length}`)).toBeVisible({ timeout: 60_000 });
};

test(`real studies are uploaded on screen and listed with the data of their files${because}`, async ({ page }) => {
  test.skip(!isThere, '../shared/dicom is not here');
  const complaints = complaintsOf(page);
  await signIn(page, 'admin');

  for (const [name, paths] of Object.entries(uploads)) {
    await test.step(name, async () => {
      const files = paths.flatMap(filesAt);
      const row = expectedRow(files.map((file) => readHeader(readFileSync(file))));
      await uploadThroughTheScreen(page, files);

      await page.goto(
        `/studies?${new URLSearchParams({ query: row.patientId, startDate: row.day, endDate: row.day })}`,
      );

      const tableRow = page.getByRole('row').filter({ hasText: row.patientId });
      await expect(tableRow).toHaveCount(1);
      await expect(tableRow.getByRole('rowheader')).toContainText(row.patientName);
      await expect(tableRow.getByText(new RegExp(`^${row.day}`))).toBeVisible();
      await expect(tableRow.getByRole('cell', { name: new RegExp(`^${row.modality}(\\+\\d)?$`) })).toBeVisible();
      await expect(tableRow.getByRole('cell', { name: String(row.seriesCount), exact: true })).toBeVisible();
    });
  }

  expect(complaints).toEqual([]);
});
