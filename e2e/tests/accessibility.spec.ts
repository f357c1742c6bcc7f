import { expect, test } from '@playwright/test';
import { signIn, violations } from '../src/steps.ts';

test('the screens keep to WCAG 2.2 AA as far as a machine can tell', async ({ page }) => {
  await page.goto('/login');
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  expect(await violations(page), 'sign-in').toEqual([]);

  await signIn(page, 'radiologist');
  const screens = {
    '/dashboard': 'Dashboard',
    '/studies': 'Studies',
    '/studies/create': 'Upload Study',
    '/stydys-search': 'Remote Studies Search',
    '/queue-jobs': 'Import Jobs',
  };
  for (const [path, heading] of Object.entries(screens)) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: heading, exact: true })).toBeVisible();
    expect(await violations(page), path).toEqual([]);
  }

  await page.goto('/studies?status=COMPLETED');
  await page
    .getByRole('link', { name: /^View details/ })
    .first()
    .click();
  await expect(page.getByText('Impression')).toBeVisible();
  expect(await violations(page), 'a study with its report').toEqual([]);

  await page.getByRole('link', { name: 'Open viewer' }).click();
  await expect(page.getByText('Not for primary diagnosis')).toBeVisible();
  expect(await violations(page), 'viewer').toEqual([]);
});
