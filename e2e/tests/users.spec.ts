import { randomUUID } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { complaintsOf, signIn, signInByHand, violations } from '../src/steps.ts';

/** A password that is not common and contains no personal data. */
const newPassword = 'four geese over the harbour';

test('an administrator creates a user, who sets a password by link and signs in with it', async ({ page, browser }) => {
  const username = `e2e.${randomUUID().slice(0, 8)}`;
  const complaints = complaintsOf(page);
  await signIn(page, 'admin');
  await page.goto('/users');
  await page.getByRole('button', { name: 'Create user' }).click();
  const drawer = page.getByRole('dialog', { name: 'Create user' });
  await drawer.getByRole('textbox', { name: 'Username' }).fill(username);
  await drawer.getByRole('textbox', { name: 'Name', exact: true }).fill('Ines Invited');
  await drawer.getByRole('textbox', { name: 'E-mail' }).fill(`${username}@example.org`);
  await drawer.getByRole('combobox', { name: 'Type' }).selectOption({ label: 'Referring physician' });
  await expect(drawer.getByRole('checkbox', { name: 'Referring physician' })).toBeChecked();
  await drawer.getByRole('button', { name: 'Create user' }).click();
  const invitation = page.getByRole('dialog', { name: 'Invitation' });
  const link = await invitation.getByRole('textbox', { name: 'Link' }).inputValue();
  expect(await violations(page, '[role=dialog]'), 'the invitation').toEqual([]);
  await invitation.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('row', { name: new RegExp(username) })).toContainText('Ines Invited');

  const elsewhere = await browser.newContext();
  const newUserPage = await elsewhere.newPage();
  await newUserPage.goto(link);
  await expect(newUserPage.getByText(`For ${username} at Riverside Imaging`)).toBeVisible();
  expect(await violations(newUserPage), '/set-password').toEqual([]);
  await newUserPage.getByLabel('New password', { exact: true }).fill(newPassword);
  await newUserPage.getByLabel('Repeat new password').fill(newPassword);
  await newUserPage.getByRole('button', { name: 'Set password' }).click();
  await expect(newUserPage.getByRole('heading', { name: 'Your password is set' })).toBeVisible();
  await signInByHand(newUserPage, username, newPassword);
  // A referring physician has no administration.
  const sidebar = newUserPage.getByRole('navigation', { name: 'Main' });
  await expect(sidebar.getByRole('link', { name: 'Reports' })).toBeVisible();
  await expect(sidebar.getByRole('link', { name: 'Users Management' })).toHaveCount(0);
  await newUserPage.goto('/users');
  await expect(newUserPage.getByRole('heading', { name: 'Access denied' })).toBeVisible();

  await newUserPage.goto(link);
  await expect(newUserPage.getByRole('heading', { name: 'This link is no longer valid' })).toBeVisible();
  await elsewhere.close();
  expect(complaints).toEqual([]);
});
