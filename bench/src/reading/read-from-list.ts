import { expect as usualExpect, type Page } from '@playwright/test';
import { countActions, printEfforts, type StudyEffort } from './counted-actions.ts';

/** Waits longer than Playwright does, because the machine may be busy. */
const expect = usualExpect.configure({ timeout: 30_000 });

const text = 'No acute abnormality.';

/** Reads studies through the study page, as before the reading mode existed: list, viewer, report, and back. */
export const readFromList = async (page: Page, count: number): Promise<void> => {
  const efforts: StudyEffort[] = [];
  const read: string[] = [];
  const list = page.getByRole('list', { name: 'Studies to read next' });
  for (let at = 0; at < count; at += 1) {
    await expect(list).toBeVisible();
    const actions = countActions(page);
    // The list may still show the study that was just signed.
    const unread = await list
      .getByRole('link')
      .evaluateAll((links, paths) => links.findIndex((link) => !paths.includes(link.getAttribute('href') ?? '')), read);
    await actions.click(list.getByRole('link').nth(unread));
    await page.waitForURL(/\/studies\//);
    read.push(new URL(page.url()).pathname);
    await actions.click(page.getByRole('link', { name: 'Open viewer' }));
    await expect(page.getByTestId('image-number')).toBeVisible();
    await actions.goBack();
    await actions.click(page.getByRole('button', { name: /^Create report/ }));
    const editor = page.getByRole('textbox', { name: 'Report text' });
    await editor.click();
    await page.keyboard.type(text);
    await actions.click(page.getByRole('button', { name: 'Save as draft' }));
    await actions.click(page.getByRole('button', { name: 'Finalize', exact: true }));
    const form = page.getByRole('dialog', { name: 'Finalize report' });
    await actions.click(form.getByRole('checkbox', { name: /I confirm that this report/ }), { isConfirmation: true });
    await actions.click(form.getByRole('button', { name: 'Finalize report' }), { isConfirmation: true });
    await expect(form).toBeHidden();
    await actions.click(page.getByRole('link', { name: 'Dashboard' }));
    await page.waitForURL(/\/dashboard/);
    efforts.push(actions.effort());
  }
  printEfforts(efforts);
};
