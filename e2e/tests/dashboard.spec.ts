import { expect, type Page, test } from '@playwright/test';
import { registerStudy } from '../src/api-steps.ts';
import { complaintsOf, signIn, violations } from '../src/steps.ts';

/** Opens the list of a number on the dashboard, checks that the list has this many entries, and goes back. */
const follow = async (page: Page, open: () => ReturnType<Page['getByRole']>) => {
  const link = open();
  await expect(link).toBeVisible();
  const [number = '0'] = /^\d+/.exec(String(await link.textContent()).trim()) ?? [];
  await link.click();
  await expect(page.getByText(new RegExp(`^Showing \\d+ to \\d+ of ${number} entries$`))).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
};

test('each number of the dashboard opens a list of that length, and one key opens the next study', async ({ page }) => {
  const complaints = complaintsOf(page);
  await signIn(page, 'admin');
  await registerStudy(page, { name: 'Board, Bea', patientId: 'E2E-BOARD-1', description: 'Board' });
  await page.goto('/dashboard');
  const tiles = page.getByRole('list', { name: 'Tasks' });
  const region = (name: string) => page.getByRole('region', { name });
  await follow(page, () => tiles.getByRole('link', { name: /Unread$/ }));
  await follow(page, () => tiles.getByRole('link', { name: /In progress$/ }));
  await follow(page, () => region('Unreported').getByRole('link').first());
  await follow(page, () => region('Studies arrived').getByRole('list').getByRole('link').first());
  await page.getByRole('button', { name: 'Show as table' }).click();
  await follow(page, () => region('Turnaround').getByRole('link').last());
  expect(await violations(page)).toEqual([]);

  await signIn(page, 'radiologist', '/dashboard');
  await expect(page.getByRole('list', { name: 'Studies to read next' })).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('n');
  await expect(page).toHaveURL(/\/viewer\/[0-9a-f-]{36}\?queue=/);
  expect(complaints).toEqual([]);
});
