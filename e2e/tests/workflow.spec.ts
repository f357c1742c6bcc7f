import { readFile } from 'node:fs/promises';
import { type Browser, expect, type Page, test } from '@playwright/test';
import { registerStudy } from '../src/api-steps.ts';
import { complaintsOf, retryAndSucceed, signIn } from '../src/steps.ts';

const expectText = (page: Page, text: string | RegExp) => expect(page.getByText(text).first()).toBeVisible();
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });
const events = (page: Page) => page.getByRole('list', { name: 'Events' });
const work = (page: Page) => page.getByRole('region', { name: 'Active Assignments' });
const status = (page: Page) => page.getByRole('region', { name: 'Current Status' });

const two = (value: number) => String(value).padStart(2, '0');

/** Noon a number of days from now, as a value of a datetime-local field. */
const noonIn = (days: number): string => {
  const day = new Date(Date.now() + days * 24 * 3_600_000);
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}T12:00`;
};

/** A comment that a spreadsheet could run as a formula. */
const formula = '=HYPERLINK("https://example.org")';

/** Registers a study with the form, and leaves its page open. */
const register = async (page: Page) => {
  await page.goto('/studies/create');
  await page.getByRole('link', { name: 'Register without images' }).click();
  await expect(page.getByRole('heading', { name: 'Register study' })).toBeVisible();
  await page.getByText('New patient', { exact: true }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Wfjourney, Walter');
  await page.getByLabel('Patient ID').fill('E2E-WF-1');
  await page.getByRole('combobox', { name: 'Gender' }).click();
  await page.getByRole('option', { name: 'Male', exact: true }).click();
  await page.getByLabel('Description').fill('CT of a journey');
  await page.getByRole('button', { name: 'Register study' }).click();
  await expectText(page, 'Date of birth is required');
  await expectText(page, 'Modality is required');
  await page.getByLabel('Date of birth').fill('1961-04-30');
  await page.getByRole('combobox', { name: 'Modality' }).click();
  await page.getByRole('option', { name: 'CT', exact: true }).click();
  await page.getByRole('textbox', { name: 'Study date' }).fill('2001-02-03 04:05');
  await page.getByRole('button', { name: 'Register study' }).click();
  await expect(page).toHaveURL(/\/studies\/[0-9a-f-]{36}$/);
  await expectText(page, 'This study has no images yet.');
};

const edit = async (page: Page) => {
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const form = dialog(page, 'Edit Study');
  await form.getByLabel('Clinical history').fill('Fell from a ladder.');
  await form.getByLabel('Scheduled', { exact: true }).fill('tomorrow');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByText('Use a date and time such as 2026-11-21 14:05')).toBeVisible();
  await expect(form.getByLabel('Clinical history')).toHaveValue('Fell from a ladder.');
  await form.getByLabel('Scheduled', { exact: true }).fill('');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form).toBeHidden();
  await expectText(page, 'Fell from a ladder.');
};

const assign = async (page: Page) => {
  await page.keyboard.press('a');
  const form = dialog(page, 'Assign users');
  await form.getByRole('checkbox', { name: 'Dr Samuel Adeyemi, reviewer' }).check();
  await form.getByLabel('Due date').fill(noonIn(2));
  await form.getByLabel('Notes').fill('Before the ward round');
  await form.getByRole('button', { name: 'Assign users' }).click();
  await expect(form).toBeHidden();
  await expect(work(page)).toContainText('Dr Samuel Adeyemi');
  await expect(work(page)).toContainText('Before the ward round');
  await expect(status(page)).toContainText('Assigned');
};

const extend = async (page: Page) => {
  await work(page).getByRole('button', { name: 'Extend' }).click();
  const form = dialog(page, 'Extend due date');
  await form.getByLabel('New due date').fill(noonIn(1));
  await form.getByRole('button', { name: 'Extend due date' }).click();
  await expect(form.getByText('Due date must be later than the current due date')).toBeVisible();
  await form.getByLabel('New due date').fill(noonIn(5));
  await form.getByRole('button', { name: 'Extend due date' }).click();
  await expect(form).toBeHidden();
  await expect(work(page)).toContainText(String(new Date(noonIn(5)).getDate()));
};

const complete = async (page: Page) => {
  await work(page).getByRole('button', { name: 'Complete' }).click();
  const form = dialog(page, 'Complete assignment');
  await form.getByLabel('Notes').fill('Read and dictated');
  await form.getByRole('button', { name: 'Complete assignment' }).click();
  await expect(form).toBeHidden();
  await expect(work(page)).toContainText('No active assignments');
  await expect(work(page)).toContainText('1 earlier assignment');
};

const changeStatus = async (page: Page, to: string, comments: string) => {
  await page.keyboard.press('s');
  const form = dialog(page, 'Update status');
  await form.getByRole('radio', { name: to }).check();
  await form.getByLabel('Comments').fill(comments);
  await form.getByRole('button', { name: 'Update status' }).click();
  await expect(form).toBeHidden();
  await expect(status(page)).toContainText(to);
};

/** Cells of each line of the downloaded task history. */
const download = async (page: Page): Promise<string[][]> => {
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export history as CSV' }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toMatch(/^task-history.*\.csv$/);
  const text = await readFile(await file.path(), 'utf8');
  return text.split('\r\n').map((line) => Array.from(line.matchAll(/"((?:[^"]|"")*)"/g), ([, cell = '']) => cell));
};

test('a study without images is registered, edited, assigned and completed', async ({ page }) => {
  const complaints = complaintsOf(page);
  await signIn(page, 'radiologist');

  await test.step('the user registers the study', () => register(page));
  await test.step('the user edits the study', () => edit(page));
  await test.step('the user assigns the study', () => assign(page));
  await test.step('the user extends the due date', () => extend(page));
  await test.step('the user completes the assignment', () => complete(page));
  await test.step('the user changes the status of the study', () => changeStatus(page, 'In progress', formula));
  await test.step('the user reads the history of the study', async () => {
    await expect(events(page)).toContainText('In progress');
    await expect(events(page)).toContainText(formula);
    await expect(events(page)).toContainText('Read and dictated');
    await expect(events(page)).toContainText('reviewer');
  });
  await test.step('the user downloads the history', async () => {
    const [head, newest, ...others] = await download(page);
    expect(head).toEqual(['Time (UTC)', 'Event', 'Value', 'Details', 'User']);
    const harmless = `'${formula.replaceAll('"', '""')}`;
    expect(newest?.slice(1)).toEqual(['Study status', 'IN_PROGRESS', harmless, 'radiologist']);
    expect(others.flat()).toContain('COMPLETED');
  });

  expect(complaints).toEqual([]);
});

/** Opens the study in two browsers, for two users. */
const openTwice = async (browser: Browser, name: string) => {
  const contexts = [await browser.newContext(), await browser.newContext()];
  const [mine, theirs] = await Promise.all(contexts.map((context) => context.newPage()));
  if (!mine || !theirs) throw new Error('There are no two pages');
  await signIn(mine, 'radiologist');
  await signIn(theirs, 'reviewer');
  const { id } = await registerStudy(mine, { name: `${name}, Two`, patientId: `E2E-${name}`, description: 'Before' });
  for (const page of [mine, theirs]) {
    await page.goto(`/studies/${id}`);
    await expect(status(page)).toContainText('Pending');
  }
  return { mine, theirs, close: () => Promise.all(contexts.map((context) => context.close())) };
};

test('if two users change the status of a study, the second sees the new status and keeps their input', async ({
  browser,
}) => {
  const { mine, theirs, close } = await openTwice(browser, 'Wfstatus');
  await theirs.keyboard.press('s');
  const form = dialog(theirs, 'Update status');
  await form.getByRole('radio', { name: 'Canceled' }).check();
  await form.getByLabel('Comments').fill('Ordered twice');

  await changeStatus(mine, 'In progress', 'I have begun');
  await form.getByRole('button', { name: 'Update status' }).click();

  await expect(form.getByRole('alert').filter({ hasText: 'It is now In progress' })).toBeVisible();
  await expect(form.getByLabel('Comments')).toHaveValue('Ordered twice');
  await expect(status(mine)).toContainText('In progress');
  await form.getByRole('radio', { name: 'Canceled' }).check();
  await form.getByRole('button', { name: 'Update status' }).click();
  await expect(form).toBeHidden();
  await expect(status(mine)).toContainText('Canceled');
  for (const words of ['I have begun', 'Ordered twice']) await expect(events(mine)).toContainText(words);
  await close();
});

test('two users who edit a study do not overwrite each other', async ({ browser }) => {
  const { mine, theirs, close } = await openTwice(browser, 'Wfedit');
  const forms = [dialog(mine, 'Edit Study'), dialog(theirs, 'Edit Study')] as const;
  for (const page of [mine, theirs]) await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await forms[0].getByLabel('Description').fill('What I call it');
  await forms[0].getByLabel('Clinical history').fill('Known asthma');
  await forms[1].getByLabel('Description').fill('What they call it');
  await forms[1].getByLabel('Phone').fill('+41 44 000 00 00');

  await forms[0].getByRole('button', { name: 'Save' }).click();
  await expect(forms[0]).toBeHidden();
  await forms[1].getByRole('button', { name: 'Save' }).click();

  await expect(forms[1].getByText('Nothing was overwritten')).toBeVisible();
  const collision = forms[1].getByRole('row', { name: /^Description/ });
  await expect(collision).toContainText('What I call it');
  await expect(collision).toContainText('What they call it');
  await forms[1].getByRole('button', { name: 'Save' }).click();
  await expect(forms[1]).toBeHidden();
  for (const page of [mine, theirs]) {
    await expectText(page, 'Known asthma');
    await expectText(page, '+41 44 000 00 00');
  }
  await close();
});

test('a prior opens next to the current study, with the text of its report', async ({ page }) => {
  const complaints = complaintsOf(page);
  await signIn(page, 'radiologist');
  await page.goto('/studies?query=DEMO-100478&modality=CT');
  await page.getByRole('link', { name: /^View details/ }).click();
  const own = page.url();
  await page.getByRole('region', { name: 'Prior studies' }).getByRole('button', { pressed: false }).first().click();

  const beside = page.getByRole('complementary', { name: 'Prior study' });
  await expect(beside.getByRole('article', { name: 'Report of the prior study' })).toContainText('Impression');
  await expect(beside).toContainText('earlier');
  await expect(page.getByRole('region', { name: 'Report', exact: true })).toBeVisible();
  await expect(page).toHaveURL(/prior=/);
  await page.reload();
  await expect(beside).toContainText('Impression');
  await beside.getByRole('button', { name: 'Close prior' }).click();
  await expect(beside).toBeHidden();
  await expect(page).toHaveURL(own);

  expect(complaints).toEqual([]);
});

test('a study shows loading, not-found and error states', async ({ page }) => {
  await signIn(page, 'radiologist');
  const { id } = await registerStudy(page, { name: 'Wfstates, Stella', patientId: 'E2E-Wfstates' });
  const study = new RegExp(`/api/studies/${id}(\\?|$)`);
  const history = new RegExp(`/api/workflow/studies/${id}/history`);
  const failing = { status: 500, json: { code: 500, error: 'server.error', message: 'Server error occurred' } };

  await test.step('the page of a study shows that it loads', async () => {
    const gate = Promise.withResolvers<void>();
    await page.route(study, async (route) => {
      await gate.promise;
      await route.continue();
    });
    await page.goto(`/studies/${id}`);
    await expect(page.getByRole('status', { name: 'Loading study' })).toBeVisible();
    gate.resolve();
    await expectText(page, 'Wfstates, Stella');
    await page.unroute(study);
  });

  await test.step('a study that fails shows an error and loads after Retry', async () => {
    await page.route(study, (route) => route.fulfill(failing));
    await page.goto(`/studies/${id}`);
    const alert = page.getByRole('alert').filter({ hasText: 'Error loading study details' });
    await expect(alert).toBeVisible();
    await retryAndSucceed(page, study, alert);
    await expectText(page, 'Wfstates, Stella');
    await page.unroute(study);
  });

  await test.step('a history that fails shows an error and loads after Retry', async () => {
    await page.route(history, (route) => route.fulfill(failing));
    await page.goto(`/studies/${id}`);
    await expectText(page, /^History error/);
    await retryAndSucceed(page, history);
    await expect(events(page)).toBeAttached();
    await expect(page.getByText(/^History error/)).toBeHidden();
  });

  await test.step('the page of a missing study shows that it was not found', async () => {
    await page.goto('/studies/00000000-0000-7000-8000-000000000000');
    await expectText(page, 'Study not found');
    await page.getByRole('link', { name: 'Back to study list' }).click();
    await expect(page.getByRole('heading', { name: 'Studies', exact: true })).toBeVisible();
  });
});
