import { expect, test } from '@playwright/test';
import { desk, loaded, lookAtDialog, lookAtMenu, open, phone } from '../src/accessibility-steps.ts';
import { registerStudy } from '../src/api-steps.ts';
import { signIn, violations } from '../src/steps.ts';

test('dialogs of worklist, recycle bin, study and chat pass the automated checks of WCAG 2.2 AA', async ({ page }) => {
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
  await lookAtDialog(page, 'Add filter', () => page.getByRole('button', { name: 'Add filter' }).click());
  await lookAtDialog(page, 'Save view', async () => {
    await page.getByRole('button', { name: 'Saved views' }).click();
    await page.getByRole('menuitem', { name: 'Save as view' }).click();
  });
  await page.keyboard.press('x');
  await expect(page.getByRole('group', { name: 'Selected studies' })).toBeVisible();
  await page.keyboard.press(' ');
  await expect(page.getByRole('complementary', { name: 'Preview of Axe, Anna' })).toContainText('No prior');
  expect(await violations(page), 'a selected row with its preview').toEqual([]);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await lookAtDialog(page, 'Update status', () => page.keyboard.press('s'));
  await lookAtDialog(page, 'Assign users', () => page.keyboard.press('a'));
  await lookAtDialog(page, 'Are you sure you want to delete this study?', () =>
    page.getByRole('button', { name: /^Delete study/ }).click(),
  );

  await open(page, '/studies/deleted', 'Recycle bin');
  await open(page, '/studies/create?form=register', 'Register study');
  await open(page, `/studies/${id}/edit`, 'Edit Study');
  await page.goto(`/studies/${id}`);
  await expect(page.getByRole('heading', { name: /^Task History/ })).toBeVisible();
  await lookAtDialog(page, 'Edit Study', () => page.getByRole('button', { name: 'Edit', exact: true }).click());
  await page.getByRole('button', { name: /^Open chat/ }).click();
  await page.getByRole('textbox', { name: 'Message' }).fill('@rev');
  await expect(page.getByRole('listbox', { name: 'Users' })).toBeVisible();
  expect(await violations(page), 'the chat').toEqual([]);
});

test('patient screens and the inbox pass the automated checks of WCAG 2.2 AA', async ({ page }) => {
  await signIn(page, 'admin');
  const { patient } = await registerStudy(page, { name: 'Axe, Bert', patientId: 'E2E-AXE-2', description: 'Axe' });
  await registerStudy(page, { name: 'Axe, Berta', patientId: 'E2E-AXE-3', description: 'Axe' });
  await open(page, '/patients', 'Patient Management');
  await open(page, '/patients/create', 'Create patient');
  await open(page, `/patients/${patient.id}/edit`, 'Edit patient');
  await open(page, `/patients/${patient.id}`, /^Axe, Bert/);
  await lookAtDialog(page, 'Merge records', async () => {
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: /^Merge/ }).click();
  });

  await open(page, '/notifications', 'Notifications');
  await lookAtDialog(page, 'Notification preferences', () => page.getByRole('button', { name: 'Preferences' }).click());
  await lookAtDialog(page, 'Notifications', () => page.getByRole('button', { name: /^Notifications(,|$)/ }).click());
});

for (const size of [desk, phone]) {
  test(`dialogs and menus of administrators pass the automated checks of WCAG 2.2 AA at a width of ${size.width}`, async ({
    page,
  }) => {
    test.setTimeout(240_000);
    await page.setViewportSize(size);
    await signIn(page, 'super');
    const press = (name: string | RegExp) => () => page.getByRole('button', { name }).first().click();
    await open(page, '/users', 'Users Management');
    await lookAtDialog(page, 'Create user', press('Create user'));
    await lookAtDialog(page, 'User', press('Edit radiologist'));
    await lookAtDialog(page, /^Deactivate .+ \(radiologist\)\?$/, press('Deactivate radiologist'));
    await lookAtDialog(page, /^Delete .+ \(radiologist\)\?$/, press('Delete radiologist'));
    await lookAtDialog(page, /^Reset the password of .+ \(radiologist\)\?$/, press('Reset password radiologist'));
    await open(page, '/roles', 'Roles Management');
    await lookAtDialog(page, 'Create role', press('Create role'));
    await lookAtDialog(page, 'Radiologist', press('View Radiologist'));
    await lookAtDialog(page, 'Copy of Radiologist', press('Clone Radiologist'));
    await open(page, '/tenants', 'Tenants Management');
    await lookAtDialog(page, 'Create organization', press('Create organization'));
    await lookAtDialog(page, 'Edit North Clinic', press('Edit North Clinic'));
    await lookAtDialog(page, 'Suspend North Clinic?', press('Suspend North Clinic'));
    await open(page, '/remote-config-page', 'Remote Configurations');
    await lookAtDialog(page, 'Create configuration', press('Create configuration'));
    await page.getByRole('tab', { name: 'DICOM devices' }).click();
    await lookAtDialog(page, 'Create device', press('Create device'));
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
    if (size === phone) await lookAtDialog(page, /.*/, press(/menu/i));
    else {
      await page.getByLabel('Current organization').click();
      await expect(page.getByRole('option', { name: /^North Clinic/ })).toBeVisible();
      expect.soft(await violations(page), 'the list of organizations').toEqual([]);
    }
  });

  test(`account menu and navigation of every user type pass the automated checks of WCAG 2.2 AA at a width of ${size.width}`, async ({
    page,
  }) => {
    await page.setViewportSize(size);
    for (const username of ['super', 'admin', 'radiologist', 'referrer']) {
      await signIn(page, username, '/dashboard');
      await loaded(page);
      await lookAtMenu(page, /^Account of/, ['button', { name: 'Logout' }]);
      if (size === phone) await lookAtDialog(page, /.*/, () => page.getByRole('button', { name: /menu/i }).click());
    }
  });
}

test('forms and texts of atlas and guidelines pass the automated checks of WCAG 2.2 AA', async ({ page }) => {
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
