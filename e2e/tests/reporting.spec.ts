import { type Browser, expect, type Page, test } from '@playwright/test';
import { registerStudy } from '../src/api-steps.ts';
import { complaintsOf, signIn } from '../src/steps.ts';

const text = (page: Page) => page.getByRole('textbox', { name: 'Report text' });
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });
const selected = (page: Page) => page.evaluate(() => window.getSelection()?.toString());

/** Signs in a user in a separate browser context. */
const colleague = async (browser: Browser, username: string): Promise<Page> => {
  const page = await (await browser.newContext()).newPage();
  await signIn(page, username);
  return page;
};

/** Types a report of two sections whose impression names the opposite side. */
const typeReport = async (page: Page) => {
  await text(page).click();
  await page.keyboard.type('## Findings');
  await page.keyboard.press('Enter');
  await page.keyboard.type('A calculus of [size] mm in the left kidney.');
  await page.keyboard.press('Enter');
  await page.keyboard.type('## Impression');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Right renal calculus.');
};

const requestReview = async (page: Page) => {
  await page.getByRole('button', { name: 'Request review' }).click();
  const form = dialog(page, 'Request review');
  await form.getByRole('combobox', { name: 'Reviewer' }).click();
  await page.getByRole('option', { name: 'Dr Samuel Adeyemi' }).click();
  await form.getByLabel('Notes').fill('Which side?');
  await form.getByRole('button', { name: 'Request review' }).click();
  await expect(form).toBeHidden();
  await expect(page.getByText('Pending Review').first()).toBeVisible();
};

const approve = async (page: Page) => {
  await expect(page.getByText('Which side?').first()).toBeHidden();
  await page.getByRole('button', { name: 'Submit review' }).click();
  const form = dialog(page, 'Submit review');
  await expect(form.getByText('Which side?')).toBeVisible();
  await form.getByRole('button', { name: 'I agree with the report.' }).click();
  await form.getByRole('button', { name: 'Submit review' }).click();
  await expect(form).toBeHidden();
  await expect(page.getByText('Approved').first()).toBeVisible();
};

const sign = async (page: Page) => {
  const form = dialog(page, 'Finalize report');
  await form.getByText('Type', { exact: true }).click();
  await expect(form.getByLabel('Full name')).toHaveValue(/\S/);
  await form.getByRole('checkbox', { name: 'I confirm that this report is complete and accurate' }).check();
  await form.getByRole('button', { name: 'Finalize report' }).click();
  await expect(form).toBeHidden();
  await expect(page.getByText('Finalized').first()).toBeVisible();
};

test(
  'a report is written, survives a closed tab, and is checked, reviewed and signed',
  { tag: '@gate' },
  async ({ page: first, context, browser }) => {
    const complaints = complaintsOf(first);
    await signIn(first, 'radiologist');
    const { id } = await registerStudy(first, { name: 'Reporting, Rita', patientId: 'E2E-REPORTING' });
    const open = (page: Page) => page.goto(`/studies/${id}`);

    await test.step('the server autosaves the typed text', async () => {
      await open(first);
      await first.getByRole('button', { name: 'Create report' }).click();
      await typeReport(first);
      await expect(first.getByText(/^Autosaved/)).toBeVisible({ timeout: 30_000 });
    });

    await test.step('closing the tab in the middle of a word loses no text', async () => {
      await first.keyboard.type(' No hydroneph');
      await first.close({ runBeforeUnload: false });
    });
    const page = await context.newPage();
    complaints.push(...complaintsOf(page));
    await open(page);
    await expect(text(page)).toContainText('Right renal calculus. No hydroneph');

    await test.step('warnings appear before signing and lead to their text', async () => {
      await text(page).locator('p').last().click();
      await page.keyboard.press('Control+End');
      await page.keyboard.type('rosis.');
      await page.getByRole('button', { name: 'Save as draft' }).click();
      await expect(page.getByText('Report created successfully')).toBeVisible();
      await expect(page.getByRole('button', { name: 'Checks: 2 warnings' })).toBeVisible();
      await page.getByRole('button', { name: 'Finalize', exact: true }).click();
      const remarks = dialog(page, 'Finalize report').getByRole('region', { name: 'Before you sign' });
      await expect(remarks.getByRole('listitem')).toHaveText([
        /The impression says right. The findings say “A calculus of \[size\] mm in the left kidney\.”/,
        /Unfilled field: \[size\]/,
      ]);
      await remarks.getByRole('button', { name: 'Show “[size]”' }).click();
      await expect.poll(() => selected(page)).toBe('[size]');
      await page.keyboard.type('5');
      await expect(page.getByRole('button', { name: 'Checks: 1 warning' })).toBeVisible();
    });

    await test.step('a colleague reviews the report', async () => {
      await requestReview(page);
      const reviewer = await colleague(browser, 'reviewer');
      await open(reviewer);
      await approve(reviewer);
      await reviewer.context().close();
    });

    await test.step('the report is signed despite the warnings', async () => {
      await page.reload();
      await page.getByRole('button', { name: 'Finalize', exact: true }).click();
      const form = dialog(page, 'Finalize report');
      await expect(form.getByText('You can sign anyway.', { exact: false })).toBeVisible();
      await sign(page);
      await expect(page.getByRole('article', { name: 'Report text' })).toContainText('A calculus of 5 mm');
    });

    expect(complaints).toEqual([]);
  },
);
