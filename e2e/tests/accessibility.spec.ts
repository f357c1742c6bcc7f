import { randomUUID } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { desk, loaded, open, phone } from '../src/accessibility-steps.ts';
import { callAs, registerStudy } from '../src/api-steps.ts';
import { passwordLinks } from '@radwork/contract/account';
import { tenants } from '@radwork/contract/tenants';
import { users } from '@radwork/contract/users';
import { allPaths, enrolling, mayOpen, screensBehindSignIn } from '../src/screens.ts';
import { password, signIn, stoppedByPolicy, violations } from '../src/steps.ts';
import { tabFaults } from '../src/tab-through.ts';

test('sign-in, a study with its report and the viewer keep to WCAG 2.2 AA as far as a machine can tell', async ({
  page,
}) => {
  await page.goto('/login');
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  expect(await violations(page), 'sign-in').toEqual([]);

  await signIn(page, 'radiologist');
  await open(page, '/dashboard', 'Dashboard');
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

for (const [username, userType, size] of [
  ['super', 'SUPER_ADMIN', desk],
  ['super', 'SUPER_ADMIN', phone],
  ['admin', 'ADMIN', desk],
  // The reviewer of the demo is of the same type.
  ['radiologist', 'RADIOLOGIST', desk],
  ['radiologist', 'RADIOLOGIST', phone],
  ['referrer', 'REFERRING_PHYSICIAN', desk],
  ['referrer', 'REFERRING_PHYSICIAN', phone],
] as const) {
  test(
    `every screen that opens without an id does so too, as ${username} sees it, ${size.width} wide`,
    { tag: username === 'super' ? '@gate' : [] },
    async ({ page }) => {
      test.setTimeout(400_000);
      await page.setViewportSize(size);
      const screens = await screensBehindSignIn();
      expect(screens.length).toBeGreaterThan(20);
      const stopped = await stoppedByPolicy(page);
      await signIn(page, username);
      let refusals = 0;
      for (const screen of screens) {
        const isOpen = mayOpen(userType, screen);
        await page.goto(screen.path);
        const heading = page.getByRole('heading', { level: 1 });
        await expect(heading, screen.path).toHaveCount(1);
        expect((await heading.textContent()) === 'Access denied', screen.path).toBe(!isOpen);
        expect.soft(stopped.splice(0), `${screen.path} under the content security policy`).toEqual([]);
        refusals += isOpen ? 0 : 1;
        // All refusals are one page.
        if (refusals > 1 && !isOpen) continue;
        await loaded(page);
        expect.soft(await violations(page), screen.path).toEqual([]);
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        expect.soft(width, `${screen.path} is wider than its window`).toBeLessThanOrEqual(size.width);
        if (isOpen) expect.soft(await tabFaults(page), `${screen.path} by Tab`).toEqual([]);
      }
    },
  );
}

/** What the journeys of this file put in the place of an id, by the path of the route. */
const withIds = {
  '/studies/$id': (ids: Ids) => `/studies/${ids.study}`,
  '/studies/$id/edit': (ids: Ids) => `/studies/${ids.study}/edit`,
  '/patients/$id': (ids: Ids) => `/patients/${ids.patient}`,
  '/patients/$id/edit': (ids: Ids) => `/patients/${ids.patient}/edit`,
  '/users/{-$id}': (ids: Ids) => `/users/${ids.user}`,
  '/viewer/{-$id}': (ids: Ids) => `/viewer/${ids.study}`,
  '/usviewer/{-$id}': (ids: Ids) => `/usviewer/${ids.study}`,
  '/mpr/$id/{-$series}': (ids: Ids) => `/mpr/${ids.study}`,
  '/petct/{-$id}': (ids: Ids) => `/petct/${ids.study}`,
};
type Ids = { study: string; patient: string; user: string };

/** The pages that nobody signs in for. */
const signedOut = {
  '/login': '/login?organisation=demo',
  '/home': '/home',
  '/setup': '/setup#nothing',
  '/set-password': '/set-password#nothing',
  '/portal/report/$hash': '/portal/report/nothing',
  '/pages/404': '/pages/404',
  '/pages/403': '/pages/403',
};

test('no page of the router is left out of these journeys', async () => {
  const walked = (await screensBehindSignIn()).map(({ path }) => path);
  const named = new Set([...walked, ...Object.keys(withIds), ...Object.keys(signedOut), enrolling]);

  expect((await allPaths()).filter((path) => !named.has(path))).toEqual([]);
});

for (const size of [desk, phone]) {
  test(`the pages of somebody who is not signed in do so too, ${size.width} wide`, async ({ page }) => {
    await page.setViewportSize(size);
    for (const path of Object.values(signedOut)) {
      await page.goto(path);
      await expect(page.locator('h1, [role=heading]').first(), path).toBeVisible();
      await loaded(page);
      expect.soft(await violations(page), path).toEqual([]);
      expect.soft(await tabFaults(page), `${path} by Tab`).toEqual([]);
    }
  });

  test(
    `the screens of one study, patient and user do so too, ${size.width} wide`,
    { tag: '@gate' },
    async ({ page }) => {
      test.setTimeout(240_000);
      await page.setViewportSize(size);
      await signIn(page, 'super');
      const mark = randomUUID().slice(0, 8);
      const long = `${'Wolfeschlegelsteinhausenbergerdorff '.repeat(3)}${mark}`.slice(-120);
      const { id, patient } = await registerStudy(page, {
        name: `محمد, ${long}`.slice(0, 64),
        patientId: `E2E-AXE-${mark}`,
        description: 'CT CHEST',
      });
      const { content } = await callAs(page, users.list, { query: { page: 0, size: 10, query: 'radiologist' } });
      const ids = { study: id, patient: patient.id, user: content[0]?.id ?? '' };
      for (const [route, pathOf] of Object.entries(withIds)) {
        const path = pathOf(ids);
        await page.goto(path);
        await expect(page.getByRole('heading', { level: 1 }).first(), route).toBeVisible();
        await loaded(page);
        const hasDialog = route === '/users/{-$id}';
        if (hasDialog) await expect(page.getByRole('dialog', { name: 'User' }).getByLabel('Username')).toBeVisible();
        expect.soft(await violations(page, hasDialog ? '[role=dialog]' : 'body'), route).toEqual([]);
      }
    },
  );
}

test('setting up a second factor that an organisation asks for does so too', async ({ page }) => {
  await signIn(page, 'super');
  const subdomain = `axe-${randomUUID().slice(0, 8)}`;
  const made = await callAs(page, tenants.create, {
    body: {
      name: `Clinic ${subdomain}`,
      subdomain,
      timeZone: 'UTC',
      locale: 'en-GB',
      storageQuotaBytes: null,
      administrator: { username: 'axe.admin', name: 'Axe Admin', email: 'axe@example.org' },
    },
  });
  const token = made.invitation.link?.split('#')[1] ?? '';
  await callAs(page, passwordLinks.use, { body: { token, password: `${password} of axe` } });
  await page.goto(`/login?organisation=${subdomain}`);
  await page.getByLabel('Username').fill('axe.admin');
  await page.getByLabel('Password', { exact: true }).fill(`${password} of axe`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  // New organisations ask their administrators for one.
  await expect(page).toHaveURL(/\/second-factor/);
  for (const size of [desk, phone]) {
    await page.setViewportSize(size);
    await loaded(page);
    expect.soft(await violations(page), `${size.width} wide`).toEqual([]);
    expect.soft(await tabFaults(page), `${size.width} wide, by Tab`).toEqual([]);
  }
});
