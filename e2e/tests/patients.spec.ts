import { expect, type Page, test } from '@playwright/test';
import { complaintsOf, retryAndSucceed, signIn, violations } from '../src/steps.ts';

/** Unique per run, so that the demo patients stay unchanged and the test can repeat on the same data. */
const run = Date.now().toString(36).toUpperCase();
const form = { name: `Lindgren${run}, Asta`, id: `E2E-${run}-1`, birth: '1958-02-11' };
const other = { name: `Lindgren${run}, Astrid`, id: `E2E-${run}-2`, birth: '1958-02-11' };

/** The first row below the headers. Its patient depends on the journeys that ran before this journey. */
const firstRow = (page: Page) => page.getByRole('table').getByRole('row').nth(1);

const field = (page: Page, name: string) => page.getByRole('textbox', { name: new RegExp(`^${name}`) });

const fillIn = async (page: Page, { name, id, birth }: typeof form) => {
  await field(page, 'Name').fill(name);
  await field(page, 'Patient ID').fill(id);
  await page.getByRole('combobox', { name: 'Gender' }).click();
  await page.getByRole('option', { name: 'Female' }).click();
  await field(page, 'Date of birth').fill(birth);
};

/** Registers a patient with a study through the API; resolves to the path of the patient. */
const register = async (page: Page, { name, id, birth }: typeof form): Promise<string> => {
  const patientId = await page.evaluate(
    async (newPatient) => {
      const body = JSON.stringify({ newPatient, modality: 'CT', description: 'CT of Astrid' });
      const authorization = `Bearer ${localStorage.getItem('token')}`;
      const headers = { authorization, 'content-type': 'application/json' };
      const response = await fetch('/api/studies', { method: 'POST', headers, body });
      const { data }: { data: { patient: { id: string } } } = await response.json();
      return data.patient.id;
    },
    { patientName: name, patientId: id, gender: 'F', dateOfBirth: birth },
  );
  return `/patients/${patientId}`;
};

/** Searches the patient list and opens the patient. */
const find = async (page: Page, text: string, name: string) => {
  await page.goto('/patients');
  await page.getByPlaceholder('Search patients...').fill(text);
  await page
    .getByRole('row', { name: new RegExp(name) })
    .getByRole('link', { name, exact: true })
    .click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
};

const registerStudy = async (page: Page, description: string) => {
  await page.getByRole('link', { name: 'Register study' }).click();
  await page.getByRole('combobox', { name: 'Modality' }).click();
  await page.getByRole('option', { name: /^CT/ }).click();
  await page.getByRole('textbox', { name: 'Description' }).fill(description);
  await page.getByRole('button', { name: 'Register study' }).click();
  await expect(page).toHaveURL(/\/studies\/[\da-f-]{36}/);
};

const choose = async (page: Page, item: string) => {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: item }).click();
  return page.getByRole('dialog');
};

test(
  'a patient is created, corrected, found and merged, and the merge is undone',
  { tag: '@gate' },
  async ({ page }) => {
    const complaints = complaintsOf(page);
    await signIn(page, 'admin');

    await test.step('a new patient is stored, and an invalid field shows its error', async () => {
      await page.goto('/patients/create');
      await fillIn(page, { ...form, birth: '2999-01-01' });
      await page.getByRole('button', { name: 'Create patient' }).click();
      await expect(page.getByText('Date of birth must not be in the future')).toBeVisible();
      await field(page, 'Date of birth').fill(form.birth);
      await page.getByRole('button', { name: 'Create patient' }).click();
      await expect(page.getByRole('heading', { level: 1, name: form.name })).toBeVisible();
      await registerStudy(page, 'CT of Asta');
    });

    await test.step('the server refuses the Patient ID of another patient, with the error at the field', async () => {
      await page.goto(await register(page, other));
      await page.getByRole('link', { name: 'Edit' }).click();
      await field(page, 'Patient ID').fill(form.id);
      await page.getByRole('button', { name: 'Save changes' }).click();
      await expect(page.getByText('Choose whether to keep the former ID')).toBeVisible();
      await page.getByRole('radio', { name: 'Release the ID, it was a mistake' }).check();
      await page.getByRole('button', { name: 'Save changes' }).click();
      await expect(field(page, 'Patient ID')).toHaveAccessibleDescription('A patient with this ID already exists');
      await expect(page.getByRole('link', { name: 'Open patient' })).toBeVisible();
      await field(page, 'Patient ID').fill(other.id);
      await field(page, 'Phone').fill('+46 8 555 01 42');
      await page.getByRole('button', { name: 'Save changes' }).click();
      await expect(page.getByRole('complementary', { name: 'Patient' })).toContainText('+46 8 555 01 42');
    });

    await test.step('both records are suggested as one person, compared and merged', async () => {
      await find(page, form.id, form.name);
      await page.getByRole('tab', { name: 'Identity' }).click();
      await page.getByRole('button', { name: `Compare and merge with ${other.name} ${other.id}` }).click();
      const dialog = page.getByRole('dialog', { name: 'Merge records' });
      await expect(dialog).toContainText(`1 study, 0 reports and the ID ${other.id}`);
      expect(await violations(page), 'the preview').toEqual([]);
      await dialog.getByRole('button', { name: 'Merge records' }).click();
      await expect(page.getByText(`${other.name} (${other.id}) was merged into`)).toBeVisible();
      await expect(page.getByRole('tab', { name: 'Studies (2)' })).toBeVisible();
    });

    await test.step('a search for the Patient ID of the merged record finds the patient', async () => {
      await find(page, other.id, form.name);
      await expect(page.getByRole('complementary', { name: 'Patient' })).toContainText(other.id);
    });

    await test.step('the user undoes the merge', async () => {
      await page.getByRole('tab', { name: 'Identity' }).click();
      await page.getByRole('button', { name: 'Undo', exact: true }).click();
      await page.getByRole('button', { name: 'Undo merge' }).click();
      await expect(page.getByRole('tab', { name: 'Studies (1)' })).toBeVisible();
    });

    await test.step('a study of the wrong patient is moved to the right patient', async () => {
      const dialog = await choose(page, 'Move a study to another patient');
      await dialog.getByRole('searchbox', { name: 'Patient of the study' }).fill(other.id);
      await dialog.getByRole('button', { name: new RegExp(other.id) }).click();
      await expect(dialog).toContainText('CT of Asta');
      expect(await violations(page), 'the move').toEqual([]);
      await dialog.getByRole('button', { name: 'Move study' }).click();
      await expect(page.getByRole('tab', { name: 'Studies (0)' })).toBeVisible();
      await find(page, other.id, other.name);
      await expect(page.getByRole('tab', { name: 'Studies (2)' })).toBeVisible();
    });

    // Expected 409 replies also appear as errors in the browser console.
    expect(complaints.filter((complaint) => !/status of 409/.test(complaint))).toEqual([]);
  },
);

test('an empty patient list gives the reason, and a failed list can be retried', async ({ page }) => {
  await signIn(page, 'radiologist');

  await test.step('a patient list without a match shows a message', async () => {
    await page.goto('/patients');
    await page.getByPlaceholder('Search patients...').fill(`nobody-${run}`);
    await expect(page.getByText('No patients match these filters')).toBeVisible();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect(firstRow(page).getByRole('link').first()).toBeVisible();
  });

  await test.step('a patient list that fails without network loads after Retry', async () => {
    await page.route('**/api/patients?*', (route) => route.abort());
    await page.goto('/patients');
    await expect(page.getByText('Failed to fetch patients. Please try again.')).toBeVisible();
    expect(await violations(page), 'the failed list').toEqual([]);
    await retryAndSucceed(page, '**/api/patients?*');
    await expect(firstRow(page).getByRole('link').first()).toBeVisible();
  });
});
