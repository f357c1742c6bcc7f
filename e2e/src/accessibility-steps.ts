import { expect, type Page } from '@playwright/test';
import { violations } from './steps.ts';

export const phone = { width: 390, height: 844 };
export const desk = { width: 1440, height: 900 };

/** Looks at a dialog that something opens, and leaves it. */
export const lookAtDialog = async (page: Page, name: string | RegExp, open: () => Promise<void>) => {
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
export const lookAtMenu = async (page: Page, button: string | RegExp, item: Parameters<Page['getByRole']>) => {
  await page.getByRole('button', { name: button }).first().click();
  await expect(page.getByRole(...item)).toBeVisible();
  expect.soft(await violations(page), `the menu of ${String(button)}`).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(page.getByRole(...item)).toBeHidden();
};

/** Nothing on the page is still awaited. */
export const loaded = async (page: Page) => {
  await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(0);
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
};

/** Opens a page by its address and looks at it. */
export const open = async (page: Page, path: string, heading: string | RegExp) => {
  await page.goto(path);
  await expect(page.getByRole('heading', { name: heading, exact: true })).toBeVisible();
  await loaded(page);
  expect(await violations(page), path).toEqual([]);
};
