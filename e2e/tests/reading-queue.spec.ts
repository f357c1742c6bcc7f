import { expect, type Locator, type Page, test } from '@playwright/test';
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

/**
 * Presses Tab until an element has the focus. The element may be invisible, because a radio button shows only its
 * label.
 */
const tabTo = async (page: Page, target: Locator) => {
  await target.waitFor({ state: 'attached' });
  const isThere = () => target.evaluate((element) => element === document.activeElement);
  for (let press = 0; press < 40 && !(await isThere()); press += 1) await page.keyboard.press('Tab');
  await expect(target).toBeFocused();
};

test('a reader signs a study by keyboard alone, without leaving its images, and the next study of the queue opens', async ({
  page,
}) => {
  const complaints = complaintsOf(page);
  await signIn(page, 'admin');
  const ids = [await assigned(page, 'queue 1'), await assigned(page, 'queue 2')];
  await signIn(page, 'radiologist', '/dashboard');
  const opened = () => ids.find((id) => page.url().includes(`/viewer/${id}?queue=`));
  const { keyboard } = page;
  const pressInTurn = async (...keys: string[]) => {
    for (const key of keys) await keyboard.press(key);
  };

  await expect(page.getByRole('list', { name: 'Studies to read next' })).toBeVisible();
  await keyboard.press('n');
  const bar = page.getByRole('region', { name: 'Reading' });
  await expect(bar).toBeVisible();
  // Studies that other journeys have assigned to this reader come first if they wait longer.
  while (!opened()) {
    const url = page.url();
    await pressInTurn('q', 'n');
    await expect(page).not.toHaveURL(url);
    await expect(bar).toBeVisible();
  }
  const first = opened();
  await expect(page.getByTestId('image-number')).toBeVisible();
  const editor = page.getByRole('textbox', { name: 'Report text' });
  await expect(editor).toBeVisible();
  await keyboard.press('F2');
  await expect(editor).toBeFocused();
  await keyboard.press('ControlOrMeta+End');
  await keyboard.type('No acute finding.');
  await pressInTurn('Escape', 'Escape');
  await expect(page.getByRole('group', { name: 'Report editor' })).toBeFocused();
  await pressInTurn('q', 'f');
  const form = page.getByRole('dialog', { name: 'Finalize report' });
  await tabTo(page, form.getByRole('radio', { name: 'Draw' }));
  await keyboard.press('ArrowRight');
  await expect(form.getByLabel('Full name')).toHaveValue(/\S/);
  await tabTo(page, form.getByRole('checkbox', { name: 'I confirm that this report is complete and accurate' }));
  await pressInTurn('Space', 'Enter');

  await expect(page).not.toHaveURL(new RegExp(String(first)));
  expect(opened()).toBe(ids.find((id) => id !== first));
  await expect(page.getByTestId('image-number')).toBeVisible();
  // The focus must not stay in the study that closed, or keys would be lost. The keys are repeated, because typed
  // characters do nothing for a moment after a text closes.
  expect(await page.evaluate(() => document.activeElement !== document.body)).toBe(true);
  await expect(async () => {
    await pressInTurn('q', 'x');
    await expect(page).toHaveURL(/\/dashboard/, { timeout: 2000 });
  }).toPass();
  expect(complaints).toEqual([]);
});
