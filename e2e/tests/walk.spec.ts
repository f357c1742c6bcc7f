import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { ctVolume } from '@radwork/phantom/studies';
import { complaintsOf, readCanvas, signInByHand } from '../src/steps.ts';

// Uses the default motion of most users.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

const patient = {
  PatientName: 'Walkthrough^Wanda',
  PatientID: 'E2E-0001',
  PatientBirthDate: '19700131',
  PatientSex: 'F',
} as const;
const impression = 'No pulmonary embolism. Spherical nodule in the right lung.';

/** Writes a folder of DICOM files, as on a disc. */
const folderOfCt = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'radwork-ct-'));
  const files = ctVolume({
    seed: 'walk',
    patient,
    studyDate: '20261120',
    accessionNumber: 'E2E-ACC-1',
    description: 'CT chest walk',
    slices: 24,
    size: 128,
  });
  for (const { name, bytes } of files) await writeFile(join(folder, name.replaceAll('/', '-')), bytes);
  return folder;
};

test(
  'a folder of CT files becomes a shared report that a recipient can read',
  { tag: '@gate' },
  async ({ page, browser }) => {
    const complaints = complaintsOf(page);
    const folder = await folderOfCt();

    await test.step('the user signs in', () => signInByHand(page, 'radiologist'));

    await test.step('the user uploads the folder', async () => {
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Worklist & Studies' }).click();
      await page.getByRole('link', { name: 'Create New Study' }).click();
      await expect(page.getByRole('tab')).toHaveText(['DICOM Files', 'DICOMWEB']);
      const chooser = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Choose folder' }).click();
      await (await chooser).setFiles(folder);
      await page.getByRole('button', { name: /^Upload 24/ }).click();
      await expect(page.getByText('Successfully processed files:')).toBeVisible({ timeout: 60_000 });
      await expect(page.getByText('Failed to process files:')).toBeHidden();
      await rm(folder, { recursive: true });
    });

    await test.step('the user finds the study in the worklist', async () => {
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Worklist & Studies' }).click();
      await page.getByPlaceholder('Search studies...').fill('walkthrough');
      const row = page.getByRole('row', { name: /Walkthrough, Wanda/ });
      await expect(row).toContainText('2026-11-20');
      await expect(row).toContainText('CT');
      await expect(page).toHaveURL(/query=walkthrough/);
      await row.getByRole('button', { name: /series of|Show series/ }).click();
      await expect(page.getByRole('cell', { name: '24', exact: true })).toBeVisible();
    });

    await test.step('the user opens the study in the viewer', async () => {
      await page
        .getByRole('row', { name: /Walkthrough, Wanda/ })
        .getByRole('link', { name: /^Open viewer/ })
        .click();
      await expect(page).toHaveURL(/\/viewer\//);
      await expect(page.getByRole('heading', { name: 'Walkthrough, Wanda' })).toBeVisible();
      const { rgba } = await readCanvas(page);
      const greys = new Set(rgba.filter((_, index) => index % 4 === 0));
      expect(greys.size).toBeGreaterThan(20);
      await page.getByRole('link', { name: 'Back to the study' }).click();
    });

    await test.step('the user writes and finalizes the report', async () => {
      await page.getByRole('button', { name: 'Create report' }).click();
      const editor = page.getByRole('textbox', { name: 'Report text' });
      await editor.click();
      // The template is laid out. Its last field is the impression.
      await page.keyboard.press('ControlOrMeta+End');
      await page.keyboard.press('Shift+Tab');
      await page.keyboard.type(impression);
      await page.getByRole('button', { name: 'Save as draft' }).click();
      await expect(page.getByText('Report created successfully')).toBeVisible();
      await page.getByRole('button', { name: 'Finalize' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('checkbox', { name: 'I confirm that this report is complete and accurate' }).check();
      await dialog.getByText('Type', { exact: true }).click();
      await expect(dialog.getByLabel('Full name')).toHaveValue(/\S/);
      await dialog.getByRole('button', { name: 'Finalize report' }).click();
      await expect(page.getByText('Report finalized successfully')).toBeVisible();
      await expect(page.getByText('Finalized', { exact: true }).first()).toBeVisible();
    });

    const link = await test.step('the user shares the report', async () => {
      await page.getByRole('button', { name: 'Share' }).click();
      // The demo organization allows links without a code, but the dialog does not suggest it.
      await page.getByText('No code', { exact: true }).click();
      await page.getByRole('button', { name: 'Create link' }).click();
      const open = page.getByRole('link', { name: 'Open link' });
      await expect(open).toBeVisible();
      return String(await open.getAttribute('href'));
    });

    await test.step('the recipient reads the report on another device, without an account', async () => {
      const device = await browser.newContext({ viewport: { width: 390, height: 844 } });
      const phone = await device.newPage();
      const onPhone = complaintsOf(phone);
      await phone.goto(link);
      await expect(phone.getByText(impression)).toBeVisible();
      await expect(phone.getByText('Walkthrough, Wanda')).toBeVisible();
      await phone.goto(link.replace('/portal/', '/#/portal/'));
      await expect(phone.getByText(impression)).toBeVisible();
      expect(onPhone).toEqual([]);
      await device.close();
    });

    expect(complaints).toEqual([]);
  },
);
