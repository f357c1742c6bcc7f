import { randomUUID } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { signIn, violations } from '../src/steps.ts';

test(
  'a super administrator creates an organization, works in it under their own name, and returns',
  { tag: '@gate' },
  async ({ page }) => {
    const subdomain = `e2e-${randomUUID().slice(0, 8)}`;
    const name = `Clinic ${subdomain}`;
    await signIn(page, 'super');
    await page.goto('/tenants');
    await expect(page.getByRole('row', { name: /North Clinic/ })).toBeVisible();
    expect(await violations(page), '/tenants').toEqual([]);

    await page.getByRole('button', { name: 'Create organization' }).click();
    const drawer = page.getByRole('dialog', { name: 'Create organization' });
    await expect(drawer.getByLabel('Name', { exact: false }).first()).toBeVisible();
    expect(await violations(page, '[role=dialog]'), 'the drawer').toEqual([]);
    await drawer.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
    await drawer.getByRole('textbox', { name: 'Subdomain' }).fill(subdomain);
    await drawer.getByRole('textbox', { name: 'Username' }).fill('first.admin');
    await drawer.getByRole('textbox', { name: 'Full name' }).fill('Nora First');
    await drawer.getByRole('textbox', { name: 'E-mail' }).fill('nora@example.org');
    await drawer.getByRole('button', { name: 'Create organization' }).click();
    const ready = page.getByRole('dialog', { name: `${name} created` });
    await expect(ready.getByRole('textbox', { name: 'Link' })).toHaveValue(/\/set-password#/);
    await ready.getByRole('button', { name: 'Done' }).click();

    const field = page.getByRole('textbox', { name: 'Current organization' });
    await field.click();
    await field.fill(subdomain);
    await expect(page.getByRole('option', { name })).toBeVisible();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');

    const banner = page.getByRole('region', { name: 'Visited organization' });
    await expect(banner).toContainText(`You are visiting ${name}, not your own organization`);
    await page.goto('/studies');
    await expect(banner).toBeVisible();
    await expect(page.getByText('Riverside Imaging', { exact: true })).toHaveCount(0);
    await page.goto('/organization');
    await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue(name);
    expect(await violations(page), '/organization').toEqual([]);

    const home = await page.context().newPage();
    await home.goto('/studies');
    await expect(home.getByRole('region', { name: 'Visited organization' })).toHaveCount(0);
    await home.close();

    await banner.getByRole('button', { name: 'Return to Riverside Imaging' }).click();
    await expect(page.getByRole('region', { name: 'Visited organization' })).toHaveCount(0);
    await page.goto('/organization');
    await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Riverside Imaging');
  },
);

test('the link of a first start opens no page once an organization exists', async ({ page }) => {
  await page.goto('/setup#xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx');

  await expect(page.getByRole('heading', { name: 'This link is not valid' })).toBeVisible();
  expect(await violations(page), '/setup').toEqual([]);

  // Simulates a first start: the form appears before anything is sent.
  await page.route('**/api/setup/check', (route) => route.fulfill({ json: { code: 200, message: 'OK', data: null } }));
  await page.reload();
  await expect(page.getByRole('button', { name: 'Create organization' })).toBeVisible();
  expect(await violations(page), 'the form of /setup').toEqual([]);
});
