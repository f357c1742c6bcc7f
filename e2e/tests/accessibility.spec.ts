import { randomUUID } from 'node:crypto';
import { expect, type Page, test } from '@playwright/test';
import { desk, loaded, open, phone, visitScreens } from '../src/accessibility-steps.ts';
import { callAs, registerStudy } from '../src/api-steps.ts';
import { passwordLinks } from '@radwork/contract/identity/accounts';
import { tenants } from '@radwork/contract/identity/tenants';
import { users } from '@radwork/contract/identity/users';
import { allPaths, enrolling, screensBehindSignIn } from '../src/screens.ts';
import { password, signIn, signInByHand, stoppedByPolicy, violations } from '../src/steps.ts';
import { tabFaults } from '../src/tab-through.ts';

test('sign-in, a study with its report, and the viewer pass the automated checks of WCAG 2.2 AA', async ({ page }) => {
  await page.goto('/login');
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  expect(await violations(page), 'sign-in').toEqual([]);

  await signInByHand(page, 'radiologist');
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

/** Expects that axe finds no violation and that the page is not wider than its window. */
const expectFit = async (page: Page, path: string) => {
  await loaded(page);
  expect.soft(await violations(page), path).toEqual([]);
  const [width, room] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
  expect.soft(width, `${path} is wider than its window`).toBeLessThanOrEqual(room ?? 0);
};

// Permissions of each role on screens are tested in web/src/app/routing/route-access.test.tsx.
for (const size of [desk, phone]) {
  test(
    `every screen without an id passes the automated checks of WCAG 2.2 AA for a super administrator, width ${size.width}`,
    { tag: '@gate' },
    async ({ page }) => {
      test.setTimeout(400_000);
      await page.setViewportSize(size);
      const stopped = await stoppedByPolicy(page);
      await visitScreens(page, async (path) => {
        await expectFit(page, path);
        expect.soft(stopped.splice(0), `${path} under the content security policy`).toEqual([]);
        if (size === desk) expect.soft(await tabFaults(page), `${path} by Tab`).toEqual([]);
      });
    },
  );

  test(`screens that differ by role pass the automated checks of WCAG 2.2 AA at a width of ${size.width}`, async ({
    page,
  }) => {
    test.setTimeout(240_000);
    await page.setViewportSize(size);
    for (const [username, paths] of Object.entries({
      radiologist: ['/dashboard', '/studies', '/reports', '/critical-findings', '/audit'],
      referrer: ['/dashboard', '/studies', '/reports'],
    })) {
      await signIn(page, username);
      for (const path of paths) {
        await page.goto(path);
        const heading = page.getByRole('heading', { level: 1 });
        await expect(heading, path).toHaveCount(1);
        expect((await heading.textContent()) === 'Access denied', path).toBe(path === '/audit');
        await expectFit(page, `${path} of ${username}`);
        expect.soft(await tabFaults(page), `${path} of ${username} by Tab`).toEqual([]);
      }
    }
  });
}

test('the Tab key visits every screen with visible focus at a width of 390 pixels', async ({ page }) => {
  test.setTimeout(400_000);
  await page.setViewportSize(phone);
  await visitScreens(page, async (path) => {
    await loaded(page);
    expect.soft(await tabFaults(page), path).toEqual([]);
  });
});

/** Routes whose path contains an id. Each function returns the path for the records of this test. */
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

/** Pages without sign-in. */
const signedOut = {
  '/login': '/login?organization=demo',
  '/home': '/home',
  '/setup': '/setup#nothing',
  '/set-password': '/set-password#nothing',
  '/portal/report/$hash': '/portal/report/nothing',
  '/pages/404': '/pages/404',
  '/pages/403': '/pages/403',
};

test('the accessibility tests open every page of the router', async () => {
  const visited = (await screensBehindSignIn()).map(({ path }) => path);
  const knownPaths = new Set([...visited, ...Object.keys(withIds), ...Object.keys(signedOut), enrolling]);

  expect((await allPaths()).filter((path) => !knownPaths.has(path))).toEqual([]);
});

for (const size of [desk, phone]) {
  test(`pages without sign-in pass the automated checks of WCAG 2.2 AA at a width of ${size.width}`, async ({
    page,
  }) => {
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
    `screens of one study, patient and user pass the automated checks of WCAG 2.2 AA at a width of ${size.width}`,
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

test('the screen to set up a required second factor passes the automated checks of WCAG 2.2 AA', async ({ page }) => {
  await signIn(page, 'super');
  const subdomain = `axe-${randomUUID().slice(0, 8)}`;
  const created = await callAs(page, tenants.create, {
    body: {
      name: `Clinic ${subdomain}`,
      subdomain,
      timeZone: 'UTC',
      locale: 'en-GB',
      storageQuotaBytes: null,
      administrator: { username: 'axe.admin', name: 'Axe Admin', email: 'axe@example.org' },
    },
  });
  const token = created.invitation.link?.split('#')[1] ?? '';
  await callAs(page, passwordLinks.use, { body: { token, password: `${password} of axe` } });
  await page.goto(`/login?organization=${subdomain}`);
  await page.getByLabel('Username').fill('axe.admin');
  await page.getByLabel('Password', { exact: true }).fill(`${password} of axe`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  // New organizations require a second factor of administrators.
  await expect(page).toHaveURL(/\/second-factor/);
  for (const size of [desk, phone]) {
    await page.setViewportSize(size);
    await loaded(page);
    expect.soft(await violations(page), `${size.width} wide`).toEqual([]);
    expect.soft(await tabFaults(page), `${size.width} wide, by Tab`).toEqual([]);
  }
});
