import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { readHeader } from '@radwork/dicom/header';
import { ctVolume } from '@radwork/phantom/studies';
import { expectPicture } from '../src/compare-pixels.ts';
import { expectedFrom } from '../src/expected-pixels.ts';
import { basicAuthorization, serveOhif } from '../src/ohif-server.ts';
import { password } from '../src/steps.ts';
import { pictureOn } from '../src/viewer-steps.ts';

const build = process.env.OHIF_DIST ?? '';
const isThere = build !== '' && existsSync(join(build, 'index.html'));
const because = isThere ? '' : ' (skipped: OHIF_DIST names no build of OHIF; .ci/run fetches one)';

const user = { name: 'radiologist', password };

const study = {
  seed: 'ohif',
  patient: { PatientName: 'Ohif^Olga', PatientID: 'E2E-OHIF', PatientBirthDate: '19610203', PatientSex: 'F' },
  studyDate: '20261113',
  accessionNumber: 'OHIF-1',
  slices: 5,
  size: 128,
} as const;

const uploadInOhif = async (page: Page, files: readonly { name: string; bytes: Buffer }[]) => {
  await page.getByText('Upload', { exact: true }).click();
  const dialog = page.getByRole('dialog');
  const chooser = page.waitForEvent('filechooser');
  await dialog.getByRole('button', { name: 'Add files' }).click();
  await (
    await chooser
  ).setFiles(files.map(({ name, bytes }) => ({ name: basename(name), mimeType: 'application/dicom', buffer: bytes })));
  await expect(dialog.getByText('Completed!', { exact: true })).toBeVisible();
};

/** The stored instance of a file, as the archive returns it. */
const fetchStored = async (page: Page, origin: string, file: Buffer): Promise<Buffer> => {
  const { studyInstanceUID, seriesInstanceUID, sopInstanceUID } = readHeader(file);
  const path = `studies/${studyInstanceUID}/series/${seriesInstanceUID}/instances/${sopInstanceUID}`;
  const headers = { accept: 'application/dicom', authorization: basicAuthorization(user) };
  return (await page.request.get(`${origin}/dicom-web/${path}`, { headers })).body();
};

test(`OHIF stores a study in the archive, finds it and shows it${because}`, async ({ page, baseURL }) => {
  test.skip(!isThere, 'OHIF_DIST names no build of OHIF');
  const origin = baseURL ?? '';
  const ohif = await serveOhif(build, { origin, ...user });
  const files = [...ctVolume(study)];
  const [first] = files;
  if (!first) throw new Error('There are no files');

  try {
    await page.goto(ohif.url);
    await uploadInOhif(page, files);
    for (const { bytes } of files) expect((await fetchStored(page, origin, bytes)).equals(bytes)).toBe(true);

    await page.goto(`${ohif.url}/?patientName=Ohif`);
    await page.getByText('Ohif, Olga').dblclick();
    await expect(page).toHaveURL(/\/viewer\?StudyInstanceUIDs=/);
    await expect(page.getByText('1 (1/5)')).toBeVisible();
    const expected = await expectedFrom(first.bytes);
    await expect(async () => expectPicture(await pictureOn(page), expected)).toPass();

    expect(ohif.asked.filter(({ status }) => status !== 200)).toEqual([]);
  } finally {
    await ohif.stop();
  }
});
