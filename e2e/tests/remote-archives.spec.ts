import { expect, type Page, test } from '@playwright/test';
import { ctVolume } from '@radwork/phantom/studies';
import { hasOrthanc, type Orthanc, startOrthanc } from '../../server/test/orthanc.ts';
import { phone } from '../src/accessibility-steps.ts';
import { complaintsOf, signIn, violations } from '../src/steps.ts';

const user = { name: 'radwork', password: 'open sesame' };
const slices = 40;
const because = hasOrthanc ? '' : ' (skipped: the packages orthanc and orthanc-dicomweb are not installed)';

const ctOf = (name: string, id: string, description: string) =>
  [
    ...ctVolume({
      seed: id,
      patient: { PatientName: name, PatientID: id, PatientBirthDate: '19570919', PatientSex: 'F' },
      studyDate: '20261118',
      accessionNumber: `${id}-ACC`,
      description,
      slices,
      size: 64,
    }),
  ].map(({ bytes }) => new Uint8Array(bytes));

/** Archive of another hospital, with two studies of one patient and one of another. */
const startArchive = async (): Promise<Orthanc> => {
  const orthanc = await startOrthanc({ user });
  await orthanc.upload(ctOf('Halvorsen^Ingrid', 'E2E-REMOTE-1', 'CT chest'));
  await orthanc.upload(ctOf('Halvorsen^Ingrid', 'E2E-REMOTE-2', 'CT chest follow-up'));
  await orthanc.upload(ctOf('Ibarra^Pilar', 'E2E-REMOTE-3', 'CT chest'));
  return orthanc;
};

const configureArchive = async (page: Page, orthanc: Orthanc) => {
  await page.goto('/remote-config-page');
  await page.getByRole('button', { name: 'Create configuration' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create configuration' });
  await dialog.getByLabel('AE title').fill('NORTH_PACS');
  await dialog.getByLabel('Base URL').fill(orthanc.url);
  await dialog.getByRole('combobox', { name: 'Sign-in' }).click();
  await page.getByRole('option', { name: 'Username and password' }).click();
  await dialog.getByLabel('Username').fill(user.name);
  await dialog.getByRole('textbox', { name: 'Password' }).fill('a wrong one');
  await dialog.getByRole('button', { name: 'Test connection' }).click();
  await expect(dialog.getByText('The archive rejected the credentials (401).')).toBeVisible();
  expect(await violations(page), 'a configuration that fails').toEqual([]);
  await dialog.getByRole('textbox', { name: 'Password' }).fill(user.password);
  await dialog.getByRole('button', { name: 'Test connection' }).click();
  await expect(dialog.getByText(/answered in \d+ ms/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('row', { name: /NORTH_PACS/ })).toBeVisible();
  expect(await violations(page), 'the configurations').toEqual([]);
};

const importWithKeys = async (page: Page) => {
  await page.goto('/stydys-search');
  await page.getByLabel('Configuration').selectOption({ label: 'NORTH_PACS (DICOMweb)' });
  await page.getByLabel('Patient name').fill('Halv');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('row', { name: /Halvorsen, Ingrid/ })).toHaveCount(2);
  expect(await violations(page), 'remote studies').toEqual([]);
  await page.getByLabel('Accession number').fill('E2E-REMOTE-1-ACC');
  await page.keyboard.press('Enter');
  const row = page.getByRole('row', { name: /Halvorsen, Ingrid/ });
  await expect(row).toHaveCount(1);
  // Moves the focus out of the text field, because a key typed there is a letter. Then J moves it to the row.
  await page.getByRole('button', { name: 'Select all' }).focus();
  await page.keyboard.press('j');
  await expect(row).toBeFocused();
  await page.keyboard.press('i');
  await expect(page.getByText('Import started')).toBeVisible();
  await expect(row.getByText('Done')).toBeVisible();
  await expect(row).toBeFocused();
};

const followJobs = async (page: Page) => {
  await page.getByRole('link', { name: 'Import jobs' }).click();
  const job = page.getByRole('row', { name: /Halvorsen, Ingrid/ });
  await expect(job).toContainText(`${slices} of ${slices}`);
  await job.getByRole('button', { name: 'Show details' }).click();
  await expect(page.getByText('Requested by')).toBeVisible();
  expect(await violations(page), 'the import jobs').toEqual([]);
  await job.getByRole('link', { name: /^Open/ }).click();
  await expect(page.getByText('Halvorsen, Ingrid').first()).toBeVisible();
  await expect(page.getByText(`1 / ${slices}`)).toBeVisible();
};

const retrieveByHost = async (page: Page, orthanc: Orthanc) => {
  await page.goto('/studies/create');
  await page.getByRole('tab', { name: 'DICOMWEB' }).click();
  await expect(page.getByText('Not connected to PACS')).toBeVisible();
  await page.getByLabel('Host').fill('127.0.0.1');
  await page.getByLabel('Port').fill(String(orthanc.port));
  await page.getByLabel('Username').fill(user.name);
  await page.getByRole('textbox', { name: 'Password' }).fill(user.password);
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Patient name')).toBeFocused();
  await page.keyboard.type('Ibarra');
  await page.keyboard.press('Enter');
  const row = page.getByRole('row', { name: /Ibarra, Pilar/ });
  await row.getByRole('button', { name: /^Retrieve/ }).click();
  await expect(row.getByText('Done')).toBeVisible();
  expect(await violations(page), 'the DICOMWEB tab').toEqual([]);
  await page.setViewportSize(phone);
  await expect(page.getByRole('button', { name: 'Search', exact: true })).toBeInViewport({ ratio: 1 });
};

test(`a remote archive is configured, searched and imported from${because}`, async ({ page }) => {
  test.skip(!hasOrthanc);
  const complaints = complaintsOf(page);
  const orthanc = await startArchive();

  try {
    await test.step('the administrator configures the remote archive', async () => {
      await signIn(page, 'admin');
      await configureArchive(page, orthanc);
    });
    await test.step('a radiologist searches the archive and imports a study with the keyboard', async () => {
      await signIn(page, 'radiologist');
      await importWithKeys(page);
    });
    await test.step('the screen shows the progress of the import, and the study can be opened', () => followJobs(page));
    await test.step('a study is retrieved from an archive without a configuration', () =>
      retrieveByHost(page, orthanc));
  } finally {
    await orthanc.stop();
  }

  expect(complaints).toEqual([]);
});
