import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { writePart10 } from '@radwork/dicom/part10';
import { ctVolume } from '@radwork/phantom/studies';
import { BlobWriter, Uint8ArrayReader, ZipWriter } from '@zip.js/zip.js/lib/zip-core-native.js';
import { complaintsOf, signIn } from '../src/steps.ts';

const slices = 6;

const ctOf = (name: string, id: string) => [
  ...ctVolume({
    seed: id,
    patient: { PatientName: name, PatientID: id, PatientBirthDate: '19700131', PatientSex: 'F' },
    studyDate: '20261120',
    accessionNumber: `${id}-ACC`,
    description: 'CT chest upload',
    slices,
    size: 64,
  }),
];

/** A ZIP file as users send it: a CT and a file of the disc that is not DICOM. */
const zipOnDisk = async (folder: string) => {
  const writer = new ZipWriter(new BlobWriter('application/zip'), { useWebWorkers: false });
  const add = (name: string, bytes: Uint8Array) => writer.add(name, new Uint8ArrayReader(bytes));
  for (const [index, { bytes }] of ctOf('Archive^Zoe', 'E2E-ZIP').entries()) await add(`CT/IM${index}`, bytes);
  await add('AUTORUN.INF', Buffer.from('[autorun]'));
  const path = join(folder, 'from-a-disc.zip');
  await writeFile(path, Buffer.from(await (await writer.close()).arrayBuffer()));
  return path;
};

/** Content of a disc: a DICOMDIR and the files that it lists, except the last. */
const discOnDisk = async (folder: string) => {
  const disc = join(folder, 'disc');
  const files = ctOf('Secret^Sybille', 'E2E-DISC').map(({ bytes }, index) => ({ path: `DICOM/IM${index}`, bytes }));
  const directory = writePart10({
    transferSyntaxUID: '1.2.840.10008.1.2.1',
    dataset: {
      SOPClassUID: '1.2.840.10008.1.3.10',
      SOPInstanceUID: '2.25.4711',
      DirectoryRecordSequence: files.map(({ path }) => ({
        DirectoryRecordType: 'IMAGE',
        ReferencedFileID: path.split('/'),
      })),
    },
  });
  for (const { path, bytes } of [{ path: 'DICOMDIR', bytes: directory }, ...files.slice(0, -1)]) {
    await mkdir(dirname(join(disc, path)), { recursive: true });
    await writeFile(join(disc, path), bytes);
  }
  return disc;
};

const choose = async (page: Page, button: 'Choose files' | 'Choose folder', path: string) => {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: button }).click();
  await (await chooser).setFiles(path);
};

test(
  'a ZIP file and a disc folder are uploaded, and the files of the disc are de-identified',
  { tag: '@gate' },
  async ({ page }) => {
    const complaints = complaintsOf(page);
    const folder = await mkdtemp(join(tmpdir(), 'radwork-upload-'));
    await signIn(page, 'radiologist');
    await page.goto('/studies/create');

    await test.step('the user uploads a ZIP file', async () => {
      await choose(page, 'Choose files', await zipOnDisk(folder));
      await expect(page.getByText('1 study of 1 patient')).toBeVisible();
      await expect(page.getByRole('row', { name: /^Archive, Zoe E2E-ZIP 2026-11-20 CT/ })).toBeVisible();
      await expect(page.getByText('1 file left out')).toBeVisible();
      await page.getByRole('button', { name: `Upload ${slices} files` }).click();
      await expect(page.getByText('Successfully processed files:')).toBeVisible();
      await expect(page.getByRole('row', { name: /^Archive, Zoe/ })).toContainText(`${slices} of ${slices}`);
    });

    await test.step('after a reload, stored files are not sent again', async () => {
      await page.reload();
      await choose(page, 'Choose files', join(folder, 'from-a-disc.zip'));
      await page.getByRole('button', { name: `Upload ${slices} files` }).click();
      await expect(page.getByText('Already in the archive')).toHaveCount(slices);
      await page.getByRole('button', { name: 'Clear list' }).click();
    });

    await test.step('the user uploads a disc folder with de-identification', async () => {
      await choose(page, 'Choose folder', await discOnDisk(folder));
      await expect(page.getByText('1 file of the DICOMDIR is missing')).toBeVisible();
      await page.getByRole('switch', { name: /^De-identify before sending/ }).check();
      await page.getByRole('textbox', { name: 'New name of Secret, Sybille' }).fill('Case^One');
      await page.getByRole('textbox', { name: 'New ID of Secret, Sybille' }).fill('E2E-CASE-1');
      const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag22aa']).analyze();
      expect(violations).toEqual([]);
      await page.getByRole('button', { name: `Upload ${slices - 1} files` }).click();
      await expect(page.getByText('Successfully processed files:')).toBeVisible();
      await page.getByRole('button', { name: 'Show changes' }).click();
      await expect(page.getByRole('dialog', { name: 'Changes made' })).toContainText('PatientBirthDate');
      await page.getByRole('button', { name: 'Close' }).click();
      await page.getByRole('button', { name: 'Save list of names' }).click();
    });

    await test.step('the archive contains the new patient and no data of the former patient', async () => {
      await page.getByRole('link', { name: 'Open study' }).click();
      await expect(page.getByText('Case, One').first()).toBeVisible();
      await page.goto('/studies');
      await page.getByPlaceholder('Search studies...').fill('Sybille');
      await expect(page.getByRole('row', { name: /Sybille/ })).toHaveCount(0);
    });

    await rm(folder, { recursive: true });
    expect(complaints).toEqual([]);
  },
);
