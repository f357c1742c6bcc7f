import { expect, type Page } from '@playwright/test';
import { mayOpen, screensBehindSignIn } from './screens.ts';
import { signIn, violations } from './steps.ts';

export const phone = { width: 390, height: 844 };
export const desk = { width: 1440, height: 900 };

/** Opens a dialog, checks it with axe, and closes it. */
export const lookAtDialog = async (page: Page, name: string | RegExp, open: () => Promise<void>) => {
  await open();
  const dialog = page.getByRole('dialog', { name });
  await expect(dialog).toBeVisible();
  await expect(dialog.getByRole('status', { name: /^Loading/ })).toHaveCount(0);
  // Checks only the dialog, since the covered parts of the page cannot be used.
  expect.soft(await violations(page, '[role=dialog]'), String(name)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  // After closing, the focus returns to the opening button, for keyboard users.
  await expect.poll(() => page.evaluate(() => document.activeElement !== document.body), String(name)).toBe(true);
};

/** Opens a menu with its button, checks the page with axe, and closes the menu. */
export const lookAtMenu = async (page: Page, button: string | RegExp, item: Parameters<Page['getByRole']>) => {
  await page.getByRole('button', { name: button }).first().click();
  await expect(page.getByRole(...item)).toBeVisible();
  expect.soft(await violations(page), `the menu of ${String(button)}`).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(page.getByRole(...item)).toBeHidden();
};

/** Waits until the page has loaded. */
export const loaded = async (page: Page) => {
  await expect(page.getByRole('status', { name: /^(Loading|Ĺōàďĩńĝ)/ })).toHaveCount(0);
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
};

/** Opens a page by its address and checks it with axe. */
export const open = async (page: Page, path: string, heading: string | RegExp) => {
  await page.goto(path);
  await expect(page.getByRole('heading', { name: heading, exact: true })).toBeVisible();
  await loaded(page);
  expect(await violations(page), path).toEqual([]);
};

/** Opens a screen as its link does, without a page load: the navigation around it stays. */
const goWithin = async (page: Page, path: string) => {
  await page.evaluate((address) => {
    document.querySelector('h1')?.setAttribute('data-left', '');
    history.pushState({}, '', address);
  }, path);
  await expect(page.locator('h1[data-left]'), path).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 }), path).toHaveCount(1);
};

/**
 * Opens each screen as a super administrator, and the screens of readers as a radiologist. The first screen of each is
 * loaded in full, so that Tab also visits the navigation.
 */
export const visitScreens = async (page: Page, look: (path: string) => Promise<void>) => {
  const screens = await screensBehindSignIn();
  expect(screens.length).toBeGreaterThan(20);
  const ofReaders = screens.filter((screen) => !mayOpen('SUPER_ADMIN', screen));
  expect(ofReaders.filter((screen) => !mayOpen('RADIOLOGIST', screen))).toEqual([]);
  const visits = [
    { user: 'super', opened: screens.filter((screen) => !ofReaders.includes(screen)) },
    { user: 'radiologist', opened: ofReaders },
  ] as const;
  for (const { user, opened } of visits) {
    await signIn(page, user, opened[0]?.path);
    for (const [at, { path }] of opened.entries()) {
      if (at > 0) await goWithin(page, path);
      await expect(page.getByRole('heading', { level: 1 }), path).not.toHaveText('Access denied');
      await look(path);
    }
  }
};
