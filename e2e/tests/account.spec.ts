import { expect, type Page, test } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { password, signInByHand, violations } from '../src/steps.ts';

/** What the app of a key shows so many half minutes from now: each code opens something once. */
const codeOf = (key: string, stepsLater = 0): string =>
  new TOTP({ secret: Secret.fromBase32(key) }).generate({ timestamp: Date.now() + stepsLater * 30_000 });

const signInWithCode = async (page: Page, username: string, code: string) => {
  await page.goto('/login');
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.getByLabel('Code', { exact: true }).fill(code);
  await page.getByRole('button', { name: 'Sign in' }).click();
};

test('a second factor is set up, asked for at the next sign-in, and one signs out everywhere', async ({ page }) => {
  // It waits for the app's next code.
  test.setTimeout(240_000);
  await signInByHand(page, 'reviewer');
  await page.getByRole('button', { name: /Account of/ }).click();
  await page.getByRole('link', { name: 'My account' }).click();
  await expect(page.getByText('This session')).toBeVisible();
  expect(await violations(page)).toEqual([]);

  await page.getByRole('button', { name: 'Set up' }).click();
  await page.getByRole('dialog').getByLabel('Your password').fill(password);
  await page.getByRole('button', { name: 'Continue' }).click();
  const key = (await page.locator('code').innerText()).replaceAll(' ', '');
  expect(await violations(page, '[role=dialog]')).toEqual([]);
  await page.getByLabel('Code that the app shows').fill(codeOf(key));
  await page.getByRole('dialog').getByRole('button', { name: 'Turn on' }).click();
  await expect(page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')).toHaveCount(10);
  const recoveryCode = await page
    .getByRole('list', { name: 'Recovery codes' })
    .getByRole('listitem')
    .first()
    .innerText();
  await page.getByLabel('I have kept these codes').check();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText(/^On since/)).toBeVisible();

  await signInWithCode(page, 'reviewer', codeOf(key, 1));
  await expect(page).toHaveURL(/\/dashboard/);
  await page.goto('/account');
  await page.getByRole('button', { name: 'Sign out everywhere', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
  await expect(page).toHaveURL(/\/login/);

  // The reviewer of other journeys signs in by password alone.
  await signInWithCode(page, 'reviewer', recoveryCode);
  await expect(page).toHaveURL(/\/dashboard/);
  await page.goto('/account');
  await page.getByRole('button', { name: 'Turn off', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Your password').fill(password);
  await dialog.getByLabel(/^Code of the app/).fill(await nextCode(key));
  await dialog.getByRole('button', { name: 'Turn off' }).click();
  await expect(page.getByText('The second factor was turned off')).toBeVisible();
});

/** The code of the step behind the one that was used a moment early. */
const nextCode = async (key: string): Promise<string> => {
  const used = codeOf(key, 1);
  await expect.poll(() => codeOf(key), { timeout: 45_000, intervals: [1000] }).toBe(used);
  return codeOf(key, 1);
};

test('a link that does not work says so', async ({ page }) => {
  await page.goto('/set-password#nothing-that-was-ever-made');

  await expect(page.getByRole('heading', { name: 'This link does not work any more' })).toBeVisible();
  expect(await violations(page)).toEqual([]);
});
