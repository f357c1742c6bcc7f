import { randomUUID } from 'node:crypto';
import { expect, type Page, test } from '@playwright/test';
import { callAs, registerStudy } from '../src/api-steps.ts';
import { passwordLinks } from '@radwork/contract/account';
import { tenants } from '@radwork/contract/tenants';
import { users } from '@radwork/contract/users';
import { allPaths, enrolling, mayOpen, screensBehindSignIn } from '../src/screens.ts';
import { password, signIn, stoppedByPolicy, violations } from '../src/steps.ts';
import { tabFaults } from '../src/tab-through.ts';

/** Looks at a dialog that something opens, and leaves it. */
const lookAtDialog = async (page: Page, name: string | RegExp, open: () => Promise<void>) => {
  await open();
  const dialog = page.getByRole('dialog', { name });
  await expect(dialog).toBeVisible();
  await expect(dialog.getByRole('status', { name: /^Loading/ })).toHaveCount(0);
  // What it covers in part cannot be pressed, and need not be.
  expect.soft(await violations(page, '[role=dialog]'), String(name)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  // The next button is where it was; whoever works by keyboard is where they were.
  await expect.poll(() => page.evaluate(() => document.activeElement !== document.body), String(name)).toBe(true);
};

/** Looks at a page with a menu that a button opens, and closes it. */
const lookAtMenu = async (page: Page, button: string | RegExp, item: Parameters<Page['getByRole']>) => {
  await page.getByRole('button', { name: button }).first().click();
  await expect(page.getByRole(...item)).toBeVisible();
  expect.soft(await violations(page), `the menu of ${String(button)}`).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(page.getByRole(...item)).toBeHidden();
};

/** Nothing on the page is still awaited. */
const loaded = async (page: Page) => {
  await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(0);
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
};

const open = async (page: Page, path: string, heading: string | RegExp) => {
  await page.goto(path);
  await expect(page.getByRole('heading', { name: heading, exact: true })).toBeVisible();
  await loaded(page);
  expect(await violations(page), path).toEqual([]);
};

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

test('the dialogs of the worklist, the recycle bin, the study and its chat do so too', async ({ page }) => {
  await signIn(page, 'admin');
  const { id } = await registerStudy(page, { name: 'Axe, Anna', patientId: 'E2E-AXE-1', description: 'Axe' });
  await page.goto('/studies?query=E2E-AXE-1');
  await expect(page.getByRole('row', { name: /Axe, Anna/ })).toBeVisible();
  await page.keyboard.press('j');
  await page.keyboard.press('e');
  await expect(page.getByRole('button', { name: 'Hide series' })).toBeVisible();
  expect(await violations(page), 'a row with its series').toEqual([]);
  await lookAtDialog(page, 'Keyboard shortcuts', () => page.keyboard.press('?'));
  await lookAtDialog(page, 'Columns', () => page.getByRole('button', { name: 'Columns' }).click());
  await lookAtDialog(page, 'Update status', () => page.keyboard.press('s'));
  await lookAtDialog(page, 'Assign users', () => page.keyboard.press('a'));
  await lookAtDialog(page, 'Are you sure you want to delete this study?', () =>
    page.getByRole('button', { name: /^Delete study/ }).click(),
  );

  await open(page, '/studies/deleted', 'Recycle bin');
  await open(page, '/studies/create?form=register', 'Register Study');
  await open(page, `/studies/${id}/edit`, 'Edit Study');
  await page.goto(`/studies/${id}`);
  await expect(page.getByRole('heading', { name: /^Task History/ })).toBeVisible();
  await lookAtDialog(page, 'Edit Study', () => page.getByRole('button', { name: 'Edit', exact: true }).click());
  await page.getByRole('button', { name: /^Open chat/ }).click();
  await page.getByRole('textbox', { name: 'Message' }).fill('@rev');
  await expect(page.getByRole('listbox', { name: 'Colleagues' })).toBeVisible();
  expect(await violations(page), 'the chat').toEqual([]);
});

test('the screens of patients and the inbox do so too', async ({ page }) => {
  await signIn(page, 'admin');
  const { patient } = await registerStudy(page, { name: 'Axe, Bert', patientId: 'E2E-AXE-2', description: 'Axe' });
  await registerStudy(page, { name: 'Axe, Berta', patientId: 'E2E-AXE-3', description: 'Axe' });
  await open(page, '/patients', 'Patient Management');
  await open(page, '/patients/create', 'Create Patient');
  await open(page, `/patients/${patient.id}/edit`, 'Edit Patient');
  await open(page, `/patients/${patient.id}`, /^Axe, Bert/);
  await lookAtDialog(page, 'Merge records of one person', async () => {
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: /^Merge/ }).click();
  });

  await open(page, '/notifications', 'Notifications');
  await lookAtDialog(page, 'What to be notified of', () => page.getByRole('button', { name: 'Preferences' }).click());
  await lookAtDialog(page, 'Notifications', () => page.getByRole('button', { name: /^Notifications(,|$)/ }).click());
});

const phone = { width: 390, height: 844 };
const desk = { width: 1440, height: 900 };

for (const [username, userType, size, isByTab] of [
  ['super', 'SUPER_ADMIN', desk, true],
  ['super', 'SUPER_ADMIN', phone, true],
  ['admin', 'ADMIN', desk, false],
  // The reviewer of the demo is of the same type.
  ['radiologist', 'RADIOLOGIST', phone, false],
  ['referrer', 'REFERRING_PHYSICIAN', phone, true],
] as const) {
  test(`every screen that opens without an id does so too, as ${username} sees it, ${size.width} wide`, async ({
    page,
  }) => {
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
      if (isOpen && isByTab) expect.soft(await tabFaults(page), `${screen.path} by Tab`).toEqual([]);
    }
  });
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

  test(`the screens of one study, patient and user do so too, ${size.width} wide`, async ({ page }) => {
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
  });
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

test('what opens over the screens of administrators does so too', async ({ page }) => {
  test.setTimeout(240_000);
  await page.setViewportSize(phone);
  await signIn(page, 'super');
  const press = (name: string | RegExp) => () => page.getByRole('button', { name }).first().click();
  await open(page, '/users', 'Users Management');
  await lookAtDialog(page, 'Add user', press('Add user'));
  await lookAtDialog(page, 'User', press('Edit radiologist'));
  await lookAtDialog(page, 'Deactivate radiologist?', press('Deactivate radiologist'));
  await lookAtDialog(page, 'Delete radiologist?', press('Delete radiologist'));
  await lookAtDialog(page, 'Reset the password of radiologist?', press('Reset password radiologist'));
  await open(page, '/roles', 'Roles Management');
  await lookAtDialog(page, 'Add role', press('Add role'));
  await lookAtDialog(page, 'Radiologist', press('View Radiologist'));
  await lookAtDialog(page, 'Copy of Radiologist', press('Clone Radiologist'));
  await open(page, '/tenants', 'Tenants Management');
  await lookAtDialog(page, 'New organisation', press('New organisation'));
  await lookAtDialog(page, 'Edit North Clinic', press('Edit North Clinic'));
  await lookAtDialog(page, 'Suspend North Clinic?', press('Suspend North Clinic'));
  await open(page, '/remote-config-page', 'Remote Configurations');
  await lookAtDialog(page, 'Add configuration', press('Add configuration'));
  await page.getByRole('tab', { name: 'DICOM devices' }).click();
  await lookAtDialog(page, 'Add device', press('Add device'));
  await open(page, '/account', 'My account');
  await lookAtDialog(page, 'Set up a second factor', press('Set up'));
  await lookAtDialog(page, 'Sign out everywhere?', press(/^Sign out everywhere$/));
  await open(page, '/atlas', 'Medical Atlas Management');
  await lookAtDialog(page, 'Create Atlas', press('Create Atlas'));
  await lookAtDialog(page, /^Chest CT/, press(/^View Chest CT/));
  await lookAtDialog(page, /./, press(/^Delete Chest CT/));
  await open(page, '/audit', 'Audit log');
  await lookAtDialog(page, 'Search and commands', () => page.keyboard.press('Control+k'));
  await lookAtMenu(page, 'Export', ['menuitem', { name: 'CSV' }]);
  await lookAtMenu(page, /^Account of/, ['button', { name: 'Logout' }]);
  await open(page, '/templates', 'Templates Management');
  await lookAtMenu(page, /^More actions for/, ['menuitem', { name: 'Duplicate' }]);
  await open(page, '/studies', 'Studies');
  await lookAtMenu(page, /^More$/, ['menuitem', { name: 'Recycle bin' }]);
  await lookAtDialog(page, /.*/, press(/menu/i));
  await page.setViewportSize(desk);
  await page.getByLabel('Organisation that you are in').click();
  await expect(page.getByRole('option', { name: /^North Clinic/ })).toBeVisible();
  expect.soft(await violations(page), 'the list of organisations').toEqual([]);
});

for (const size of [desk, phone]) {
  test(`the account menu and the way around do so too, as every type of user sees them, ${size.width} wide`, async ({
    page,
  }) => {
    await page.setViewportSize(size);
    for (const username of ['super', 'admin', 'radiologist', 'referrer']) {
      await signIn(page, username);
      await loaded(page);
      await lookAtMenu(page, /^Account of/, ['button', { name: 'Logout' }]);
      if (size === phone) await lookAtDialog(page, /.*/, () => page.getByRole('button', { name: /menu/i }).click());
    }
  });
}

test('texts of the atlas and the guidelines do so too, written and read', async ({ page }) => {
  await signIn(page, 'admin');
  const kinds = [
    { path: '/atlas', title: 'Medical Atlas Management', create: 'Create Atlas', words: 'Summary' },
    { path: '/guidelines', title: 'Guidelines Management', create: 'Create Guideline', words: 'Content' },
  ];
  for (const { path, title, create, words } of kinds) {
    await open(page, path, title);
    await page.getByRole('button', { name: create }).first().click();
    const form = page.getByRole('dialog', { name: create });
    await expect(form).toBeVisible();
    expect(await violations(page, '[role=dialog]'), create).toEqual([]);
    await form.getByLabel('Title').fill('Axe, spelled out');
    await form.getByLabel('Author').fill('Dr Axel Axe');
    await form.getByLabel(words).fill('What is read here is read by everybody.');
    await form.getByRole('button', { name: create }).click();
    await expect(form).toBeHidden();
    await loaded(page);
    expect(await violations(page), `${path} with a text`).toEqual([]);
    await lookAtDialog(page, 'Axe, spelled out', () =>
      page.getByRole('button', { name: 'View Axe, spelled out' }).click(),
    );
  }
});
