import { expect, type Page, test } from '@playwright/test';
import { studies } from '@radwork/contract/imaging/studies';
import { workflow } from '@radwork/contract/reading/workflow';
import { callAs } from '../src/api-steps.ts';
import { smallStack, studyUidOf } from '../src/small-stacks.ts';
import { complaintsOf, signIn } from '../src/steps.ts';
import { upload } from '../src/viewer-steps.ts';

const storeFor = async (page: Page, name: string) => {
  await upload(page, smallStack(name, 'Axial', 3));
  return callAs(page, studies.getByUid, { params: { studyUid: studyUidOf(name) } });
};

/** Stores a study with images and assigns it to the radiologist. */
const assigned = async (page: Page, name: string) => {
  const { id } = await storeFor(page, name);
  const people = await callAs(page, workflow.assignable, { query: { studyId: id, query: 'radiologist' } });
  const userIds = people.filter(({ username }) => username === 'radiologist').map((person) => person.id);
  await callAs(page, workflow.assign, { params: { id }, body: { userIds } });
  return id;
};

test('a reader signs a study without leaving its images, and the next study of the queue opens', async ({ page }) => {
  const complaints = complaintsOf(page);
  await signIn(page, 'admin');
  const ids = [await assigned(page, 'queue 1'), await assigned(page, 'queue 2')];
  await signIn(page, 'radiologist', '/dashboard');
  const opened = () => ids.find((id) => page.url().includes(`/viewer/${id}?queue=`));

  await expect(page.getByRole('list', { name: 'Studies to read next' })).toBeVisible();
  await page.keyboard.press('n');
  const bar = page.getByRole('region', { name: 'Reading' });
  await expect(bar).toBeVisible();
  // Studies that other journeys have assigned to this reader come first if they wait longer.
  while (!opened()) {
    const url = page.url();
    await bar.getByRole('button', { name: 'Skip' }).click();
    await expect(page).not.toHaveURL(url);
  }
  const first = opened();
  await expect(page.getByTestId('image-number')).toBeVisible();
  const editor = page.getByRole('textbox', { name: 'Report text' });
  await editor.click();
  await page.keyboard.type('No acute finding.');
  await page.getByRole('button', { name: 'Finalize', exact: true }).click();
  const form = page.getByRole('dialog', { name: 'Finalize report' });
  await form.getByText('Type', { exact: true }).click();
  await expect(form.getByLabel('Full name')).toHaveValue(/\S/);
  await form.getByRole('checkbox', { name: 'I confirm that this report is complete and accurate' }).check();
  await form.getByRole('button', { name: 'Finalize report' }).click();

  await expect(page).not.toHaveURL(new RegExp(String(first)));
  expect(opened()).toBe(ids.find((id) => id !== first));
  await expect(page.getByTestId('image-number')).toBeVisible();
  await page.keyboard.press('Escape');
  await bar.getByRole('button', { name: 'Stop reading' }).click();
  await expect(page).toHaveURL(/\/dashboard/);
  expect(complaints).toEqual([]);
});
