import { expect, type Page, test } from '@playwright/test';
import { registerStudy } from '../src/api-steps.ts';
import { signIn, violations } from '../src/steps.ts';

/** Looks at a dialog that something opens, and leaves it. */
const lookAtDialog = async (page: Page, name: string, open: () => Promise<void>) => {
  await open();
  const dialog = page.getByRole('dialog', { name });
  await expect(dialog.getByRole('status', { name: /^Loading/ })).toHaveCount(0);
  await expect(dialog).toBeVisible();
  // What it covers in part cannot be pressed, and need not be.
  expect(await violations(page, '[role=dialog]'), name).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
};

const open = async (page: Page, path: string, heading: string | RegExp) => {
  await page.goto(path);
  await expect(page.getByRole('heading', { name: heading, exact: true })).toBeVisible();
  await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(0);
  expect(await violations(page), path).toEqual([]);
};

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
