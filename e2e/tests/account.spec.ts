import { expect, type Page, test } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { password, signInByHand, violations } from '../src/steps.ts';

/** Returns the code that the authenticator app shows after a number of 30-second steps. Each code works only once. */
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

test('a user sets up a second factor, signs in with it and signs out everywhere', async ({ page }) => {
  // Waits for the next code of the app.
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
  await page.getByLabel('Code from the app').fill(codeOf(key));
  await page.getByRole('dialog').getByRole('button', { name: 'Turn on' }).click();
  await expect(page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')).toHaveCount(10);
  const recoveryCode = await page
    .getByRole('list', { name: 'Recovery codes' })
    .getByRole('listitem')
    .first()
    .innerText();
  await page.getByLabel('I have stored these codes').check();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText(/^On since/)).toBeVisible();

  await signInWithCode(page, 'reviewer', codeOf(key, 1));
  await expect(page).toHaveURL(/\/dashboard/);
  await page.goto('/account');
  await page.getByRole('button', { name: 'Sign out everywhere', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
  await expect(page).toHaveURL(/\/login/);

  // The second factor is turned off again, because other journeys sign the reviewer in with the password alone.
  await signInWithCode(page, 'reviewer', recoveryCode);
  await expect(page).toHaveURL(/\/dashboard/);
  await page.goto('/account');
  await page.getByRole('button', { name: 'Turn off', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Your password').fill(password);
  await dialog.getByLabel(/^App code or recovery code/).fill(await nextCode(key));
  await dialog.getByRole('button', { name: 'Turn off' }).click();
  await expect(page.getByText('Second factor turned off')).toBeVisible();
});

/** Waits for the time step whose code was already used, and returns the code of the next step. */
const nextCode = async (key: string): Promise<string> => {
  const used = codeOf(key, 1);
  await expect.poll(() => codeOf(key), { timeout: 45_000, intervals: [1000] }).toBe(used);
  return codeOf(key, 1);
};

test('an invalid password link shows a message', async ({ page }) => {
  await page.goto('/set-password#nothing-that-was-ever-made');

  await expect(page.getByRole('heading', { name: 'This link is no longer valid' })).toBeVisible();
  expect(await violations(page)).toEqual([]);
});
