import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { signIn } from '../src/steps.ts';

/** What axe finds against WCAG 2.2 A and AA, one line a rule. */
const violations = async (page: Page) => {
  const { violations: found } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze();
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
};

test('the screens keep to WCAG 2.2 AA as far as a machine can tell', async ({ page }) => {
  await page.goto('/login');
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  expect(await violations(page), 'sign-in').toEqual([]);

  await signIn(page, 'radiologist');
  const screens = { '/dashboard': 'Dashboard', '/studies': 'Studies', '/studies/create': 'Upload Study' };
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
