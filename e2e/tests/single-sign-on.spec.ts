import { randomUUID } from 'node:crypto';
import { expect, type Page, test } from '@playwright/test';
import { singleSignOn } from '@radwork/contract/identity/single-sign-on';
import { ssoFailures } from '@radwork/contract/identity/single-sign-on-failures';
import { type OidcProvider, startOidcProvider } from '../../server/test/oidc-provider.ts';
import { callAs } from '../src/api-steps.ts';
import { complaintsOf, signInByHand, violations } from '../src/steps.ts';

const [reader, stranger] = [`reader.${randomUUID().slice(0, 8)}`, `stranger.${randomUUID().slice(0, 8)}`];

/** A person known to the provider, with its claims. */
const known = (username: string, name: string, groups: string[]) =>
  [username, { name, preferred_username: username, email: `${username}@example.org`, groups }] as const;

const setUp = async (page: Page, { issuer, clientId, clientSecret }: OidcProvider) => {
  await page.goto('/single-sign-on');
  await page.getByRole('textbox', { name: 'Issuer' }).fill(issuer);
  await page.getByRole('textbox', { name: 'Client ID' }).fill(clientId);
  await page.getByLabel('Client secret').fill('a wrong one');
  await page.getByRole('button', { name: 'Test connection' }).click();
  await expect(page.getByText('Check the client ID and client secret')).toBeVisible();
  await page.getByLabel('Client secret').fill(clientSecret);
  await page.getByRole('button', { name: 'Test connection' }).click();
  await expect(page.getByText('The client ID and secret are accepted.')).toBeVisible();

  await page.getByRole('switch', { name: 'Single sign-on with this provider' }).check();
  await page.getByRole('textbox', { name: 'Label' }).fill('Clinic account');
  await page.getByRole('switch', { name: 'Create an account at the first sign-in' }).check();
  await page.getByRole('textbox', { name: 'Groups claim' }).fill('groups');
  await page.getByRole('button', { name: 'Add group' }).click();
  await page.getByRole('textbox', { name: 'Group', exact: true }).fill('readers');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Single sign-on saved')).toBeVisible();
  expect(await violations(page), '/single-sign-on').toEqual([]);
};

/** Goes from the sign-in page to the provider and identifies there. */
const signInAs = async (page: Page, name: string) => {
  await page.goto('/login?organization=north');
  await page.getByRole('link', { name: 'Sign in with Clinic account' }).click();
  await page.getByLabel('Who are you?').fill(name);
  await page.getByRole('button', { name: 'Continue' }).click();
};

test('an organization signs in through its own provider: groups give permissions, and a refused user sees the reason', async ({
  page,
  browser,
  baseURL,
}) => {
  const provider = await startOidcProvider({ sendsTo: baseURL ?? '', isForBrowsers: true });
  for (const [name, claims] of [known(reader, 'Rosa Reader', ['readers']), known(stranger, 'Sam Stranger', [])]) {
    provider.people.set(name, claims);
  }
  const complaints = complaintsOf(page);
  await signInByHand(page, 'north.admin');
  await setUp(page, provider);
  const elsewhere = await browser.newContext();
  const readerPage = await elsewhere.newPage();

  await test.step('a new user gets the type of their group', async () => {
    await signInAs(readerPage, reader);
    await expect(readerPage).toHaveURL(/\/dashboard$/);
    const sidebar = readerPage.getByRole('navigation', { name: 'Main' });
    await expect(sidebar.getByRole('link', { name: 'Reports' })).toBeVisible();
    await expect(sidebar.getByRole('link', { name: 'Users Management' })).toHaveCount(0);
    await page.goto(`/users?query=${reader}`);
    await expect(page.getByRole('row', { name: new RegExp(reader) })).toContainText('Radiologist');
  });

  await test.step('a signed-in user confirms the identity at the provider and stays signed in', async () => {
    await readerPage.goto('/api/auth/sso/north/start?again=1');
    await readerPage.getByLabel('Who are you?').fill(reader);
    await readerPage.getByRole('button', { name: 'Continue' }).click();
    await expect(readerPage.getByRole('heading', { name: 'Identity confirmed' })).toBeVisible();
    expect(await violations(readerPage), '/signed-in-again').toEqual([]);
    await readerPage.goto('/studies');
    await expect(readerPage).toHaveURL(/\/studies$/);
  });

  await test.step('a user without a group sees the reason', async () => {
    await elsewhere.clearCookies();
    await signInAs(readerPage, stranger);
    await expect(readerPage.getByText(ssoFailures.no_group())).toBeVisible();
    expect(new URL(readerPage.url()).hash).toBe('');
    expect(await violations(readerPage), '/login').toEqual([]);
  });

  await test.step('a changed state parameter signs no user in', async () => {
    provider.tamper({ changeRedirect: (address) => address.replace(/(state=[^&]*)[^&](&|$)/, '$1_$2') });
    await elsewhere.clearCookies();
    await signInAs(readerPage, reader);
    await expect(readerPage.getByText(ssoFailures.not_known())).toBeVisible();
  });

  await test.step('a provider that cannot be reached shows a message', async () => {
    await provider.stop();
    await readerPage.goto('/login?organization=north');
    await readerPage.getByRole('link', { name: 'Sign in with Clinic account' }).click();
    await expect(readerPage.getByText(ssoFailures.provider_away())).toBeVisible();
  });

  const {
    roles: _roles,
    redirectAddress: _redirect,
    hasClientSecret: _has,
    ...stored
  } = await callAs(page, singleSignOn.read, {});
  await callAs(page, singleSignOn.save, { body: { ...stored, isOn: false } });
  await elsewhere.close();
  expect(complaints).toEqual([]);
});
