import { expect, type Page, test } from '@playwright/test';
import { complaintsOf, signIn, violations } from '../src/steps.ts';

const writing = (page: Page) => page.getByRole('region', { name: 'Your addendum' });

/** Opens the first finalized report of the list. */
const openSigned = async (page: Page): Promise<string> => {
  await page.goto('/reports?view=FINALIZED');
  await page
    .getByRole('link', { name: /^Open report/ })
    .first()
    .click();
  await expect(page).toHaveURL(/\/studies\/[0-9a-f-]{36}\?pane=report$/);
  await expect(page.getByText('Text unchanged since signing').first()).toBeVisible();
  return page.url();
};

const write = async (page: Page, text: string) => {
  const editor = writing(page).getByRole('textbox', { name: 'Report text' });
  await editor.click();
  await page.keyboard.type(text);
};

const sign = async (page: Page, what: 'addendum' | 'correction') => {
  await writing(page).getByRole('button', { name: 'Sign', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: `Sign ${what}` });
  await dialog.getByText('Type', { exact: true }).click();
  await expect(dialog.getByLabel('Full name')).toHaveValue(/\S/);
  await dialog.getByRole('checkbox', { name: 'I confirm that this report is complete and accurate' }).check();
  await dialog.getByRole('button', { name: `Sign ${what}` }).click();
  await expect(writing(page)).toBeHidden();
};

/** Selects the first paragraph of the signed text, as the mouse would. */
const selectFirstWords = (page: Page): Promise<string> =>
  page
    .locator('[data-part="0"] p')
    .first()
    .evaluate((paragraph) => {
      window.getSelection()?.selectAllChildren(paragraph);
      return paragraph.textContent;
    });

test(
  'a signed report gets an addendum and a correction, which all users see, also on a phone',
  { tag: '@gate' },
  async ({ page, browser }) => {
    const complaints = complaintsOf(page);
    await signIn(page, 'radiologist');
    const address = await openSigned(page);
    const text = await page.locator('[data-part="0"]').innerText();

    await page.getByRole('button', { name: 'Add addendum' }).click();
    await write(page, 'Compared with the film of 2024: unchanged.');
    await sign(page, 'addendum');
    await page.getByRole('button', { name: 'Add addendum' }).click();
    await writing(page).getByText('Correction', { exact: true }).click();
    await write(page, 'The right side.');
    const passage = await selectFirstWords(page);
    await writing(page).getByRole('button', { name: 'Quote selected text' }).click();
    // The draft is visible only to its author, and must still be there after a reload.
    await writing(page).getByRole('button', { name: 'Save addendum' }).click();
    await expect(writing(page).getByRole('status').first()).toContainText('Visible only to you until signed');
    await page.reload();
    await expect(writing(page).getByRole('textbox', { name: 'Report text' })).toHaveText('The right side.');
    expect(await violations(page)).toEqual([]);
    await sign(page, 'correction');

    const correction = page.getByRole('region', { name: 'Correction 2 of the report' });
    await expect(correction.locator('del')).toHaveText(passage);
    await expect(correction).toContainText('The right side.');
    await expect(page.locator('[data-part="0"]')).toHaveText(text, { useInnerText: true });
    expect(await violations(page)).toEqual([]);
    await page.goto('/reports?view=FINALIZED');
    await expect(page.getByText('AMENDED')).toHaveCount(1);
    expect(await violations(page)).toEqual([]);

    const phone = await browser.newPage({ viewport: { width: 390, height: 844 } });
    const phoneComplaints = complaintsOf(phone);
    await signIn(phone, 'reviewer');
    await phone.goto(address);
    await expect(phone.getByText(/^AMENDED: 1 correction and 1 addendum below\./)).toBeVisible();
    await expect(phone.getByText('Text unchanged since signing')).toHaveCount(3);
    await phone.goto('/reports');
    await expect(phone.getByText('AMENDED')).toBeVisible();
    const isTooWide = await phone.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    expect(isTooWide).toBe(false);
    expect(phoneComplaints).toEqual([]);
    expect(complaints).toEqual([]);
  },
);
