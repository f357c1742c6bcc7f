import { expect, type Locator, type Page, test } from '@playwright/test';
import { registerAnother, registerStudy } from '../src/api-steps.ts';
import { complaintsOf, retryAndSucceed, signIn } from '../src/steps.ts';

const rows = (page: Page) => page.getByRole('table', { name: 'studies' }).locator('tbody tr[data-row]');
const heads = (page: Page) => page.getByRole('table', { name: 'studies' }).getByRole('columnheader');
const views = (page: Page) => page.getByRole('group', { name: 'Worklists' });
const search = (page: Page) => page.getByPlaceholder('Search studies...');
const expectText = (page: Page, text: string | RegExp) => expect(page.getByText(text)).toBeVisible();

/** Calls that load the rows of the list. */
const listCalls = /\/api\/studies\/search/;

/** Registers twelve studies of one patient, more than one page. Their descriptions count from 01. */
const registerTwelve = async (page: Page, family: string) => {
  const name = `${family}, Wilma`;
  const describe = (number: number) => `${family} ${String(number).padStart(2, '0')}`;
  const first = await registerStudy(page, { name, patientId: `E2E-${family}`, description: describe(1) });
  for (let number = 2; number <= 12; number += 1) {
    await registerAnother(page, first.patient.id, { description: describe(number) });
  }
};

test('the worklist is filtered, sorted and paged, with the state in the URL', { tag: '@gate' }, async ({ page }) => {
  const complaints = complaintsOf(page);
  await signIn(page, 'radiologist');
  await registerTwelve(page, 'Wlpaging');
  await page.goto('/studies');

  await test.step('a view lists as many studies as its count says', async () => {
    const pending = views(page).getByRole('button', { name: /^Pending/ });
    await expect(pending).toHaveText(/^Pending \d+$/);
    await pending.click();
    await expect(page).toHaveURL(/view=PENDING/);
    const count = String(await pending.textContent()).replace('Pending ', '');
    await expectText(page, new RegExp(`^Showing 1 to 10 of ${count} entries$`));
    for (const row of await rows(page).all()) await expect(row).toContainText('Pending');
    await views(page).getByRole('button', { name: /^All/ }).click();
  });

  await test.step('a search filters, and a column header sorts in both directions', async () => {
    await search(page).fill('wlpaging');
    await expectText(page, 'Showing 1 to 10 of 12 entries');
    await expect(page).toHaveURL(/query=wlpaging/);
    const head = page.getByRole('columnheader', { name: 'Description' });
    await head.getByRole('button').click();
    await expect(head).toHaveAttribute('aria-sort', 'ascending');
    await expect(rows(page).first()).toContainText('Wlpaging 01');
    await head.getByRole('button').click();
    await expect(page).toHaveURL(/sort=description(,|%2C)desc/);
    await expect(rows(page).first()).toContainText('Wlpaging 12');
  });

  await test.step('the next page opens, and Back returns to the first, also after a reload', async () => {
    await page.getByRole('button', { name: 'Page 2' }).click();
    await expect(page).toHaveURL(/page=1/);
    await expect(rows(page)).toHaveCount(2);
    await page.reload();
    await expect(rows(page)).toHaveCount(2);
    await expect(search(page)).toHaveValue('wlpaging');
    await page.goBack();
    await expect(rows(page)).toHaveCount(10);
    await expect(rows(page).first()).toContainText('Wlpaging 12');
  });

  expect(complaints).toEqual([]);
});

test('the worklist can be used with the keyboard alone', async ({ page }) => {
  const complaints = complaintsOf(page);
  await signIn(page, 'radiologist');
  await page.goto('/studies?modality=CR&sort=patientName,asc');
  const [first, second] = [rows(page).nth(0), rows(page).nth(1)];
  await expect(second).toBeVisible();

  await page.keyboard.press('j');
  await expect(first).toBeFocused();
  await page.keyboard.press('j');
  await expect(second).toBeFocused();
  await page.keyboard.press('k');
  await expect(first).toBeFocused();
  await page.keyboard.press('e');
  await expect(first.getByRole('button', { name: 'Hide series' })).toBeVisible();
  await expect(page.getByRole('table', { name: /series/i }).first()).toBeVisible();
  await page.keyboard.press('e');
  await expect(first.getByRole('button', { name: 'Show series' })).toBeVisible();

  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(help.getByText('Next row')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(help).toBeHidden();

  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/studies\/[0-9a-f-]{36}$/);
  await expectText(page, 'Task History');
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/modality=CR/);
  await expect(first).toBeVisible();
  await page.keyboard.press('j');
  await page.keyboard.press('v');
  await expect(page).toHaveURL(/\/viewer\//);
  await expectText(page, 'Not for primary diagnosis');

  expect(complaints).toEqual([]);
});

test('column and row settings of the worklist are kept', async ({ page }) => {
  const complaints = complaintsOf(page);
  await signIn(page, 'reviewer');
  await page.goto('/studies');
  await expect(rows(page).first()).toBeVisible();
  const order = async () => (await heads(page).allTextContents()).join(' ');
  expect(await order()).toMatch(/Study Date.*Modality/);

  await page.getByRole('button', { name: 'Columns' }).click();
  const menu = page.getByRole('dialog', { name: 'Columns' });
  await menu.getByRole('button', { name: 'Move or resize Modality' }).focus();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  for (let press = 0; press < 4; press += 1) await page.keyboard.press('ArrowRight');
  await menu.getByRole('checkbox', { name: 'Assignees' }).check();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Compact rows' }).click();

  const isArranged = async () => {
    await expect(page.getByRole('columnheader', { name: 'Assignees' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Compact rows' })).toHaveAttribute('aria-pressed', 'true');
    expect(await order()).toMatch(/Modality.*Study Date/);
    const width = await page.getByRole('columnheader', { name: 'Modality' }).evaluate((head) => head.clientWidth);
    return width;
  };
  const width = await isArranged();
  await page.reload();
  await expect(rows(page).first()).toBeVisible();
  expect(Math.abs((await isArranged()) - width)).toBeLessThan(2);

  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('button', { name: 'Reset columns' }).click();
  await expect(page.getByRole('columnheader', { name: 'Assignees' })).toBeHidden();
  expect(await order()).toMatch(/Study Date.*Modality/);

  expect(complaints).toEqual([]);
});

test('a study is deleted and restored, with Undo or from the recycle bin', { tag: '@gate' }, async ({ page }) => {
  const complaints = complaintsOf(page);
  await signIn(page, 'admin');
  await registerStudy(page, { name: 'Wlbin, Berta', patientId: 'E2E-Wlbin', description: 'To be deleted' });
  const row = page.getByRole('row', { name: /Wlbin, Berta/ });
  const remove = async () => {
    await row.getByRole('button', { name: /^Delete study/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Are you sure you want to delete this study?' });
    await expect(dialog).toContainText('Wlbin, Berta');
    await expect(dialog).toContainText('move to the recycle bin');
    await dialog.getByRole('button', { name: 'Delete study' }).click();
    await expectText(page, 'Study deleted successfully');
    await expect(row).toBeHidden();
  };
  await page.goto('/studies?query=wlbin');
  // Hovering a row loads its series early. After the deletion this request would fail.
  const seriesResponse = page.waitForResponse((response) => response.url().endsWith('/series'));
  await row.hover();
  await seriesResponse;

  await test.step('Undo in the message restores the study', async () => {
    await remove();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(row).toBeVisible();
  });

  await test.step('the recycle bin shows the purge date and restores the study', async () => {
    await remove();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Recycle bin' }).click();
    const deleted = page.getByRole('table', { name: 'deleted studies' }).getByRole('row', { name: /Wlbin, Berta/ });
    await expect(deleted).toContainText('To be deleted');
    const deletionMonth = new Date(Date.now() + 30 * 24 * 3_600_000).toISOString().slice(0, 7);
    await expect(deleted).toContainText(deletionMonth);
    await deleted.getByRole('button', { name: /^Restore/ }).click();
    await expect(deleted).toBeHidden();
    await page.getByRole('link', { name: 'Back to study list' }).click();
    await expect(page).toHaveURL(/query=wlbin/);
    await expect(row).toBeVisible();
  });

  expect(complaints).toEqual([]);
});

test('the worklist shows loading, empty and error states', async ({ page }) => {
  await signIn(page, 'radiologist');

  await test.step('the worklist shows gray rows until the first answer', async () => {
    const gate = Promise.withResolvers<void>();
    await page.route(listCalls, async (route) => {
      await gate.promise;
      await route.continue();
    });
    await page.goto('/studies');
    const table = page.getByRole('table', { name: 'studies' });
    await expect(table).toHaveAttribute('aria-busy', 'true');
    await expect(table.locator('tbody tr[aria-hidden]').first()).toBeVisible();
    gate.resolve();
    await expect(rows(page).first()).toBeVisible();
    await page.unroute(listCalls);
  });

  await test.step('filters without a match can be cleared', async () => {
    await search(page).fill('nobody is called this');
    await expectText(page, 'No matching studies');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect(rows(page).first()).toBeVisible();
    await expect(search(page)).toHaveValue('');
  });

  await test.step('a worklist that fails shows an error message with Retry', async () => {
    await page.route(listCalls, (route) =>
      route.fulfill({ status: 500, json: { code: 500, error: 'server.error', message: 'Server error occurred' } }),
    );
    await page.goto('/studies');
    const alert = page.getByRole('alert');
    await expect(alert).toContainText('Error fetching studies');
    await retryAndSucceed(page, listCalls, alert);
    await expect(rows(page).first()).toBeVisible();
  });
});

/** True if neither a cell nor the name in it is cut off. */
const isWhole = (cell: Locator) =>
  cell.evaluate((element) =>
    [element, ...element.querySelectorAll('a')].every(
      (part) => part.scrollWidth <= Math.max(part.clientWidth, Math.ceil(part.getBoundingClientRect().width)),
    ),
  );

test('lists show a long patient name in full at any window width', async ({ page }, testInfo) => {
  const name = 'Wholename-Mustermann-Hohenberg, Maximiliana Theodora Elisabeth';
  await signIn(page, 'radiologist');
  await registerStudy(page, { name, patientId: 'E2E-WHOLE', description: 'CT of the chest, abdomen and pelvis' });

  for (const [width, height] of [
    [1440, 900],
    [1920, 1080],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const [list, parameter] of [
      ['studies', 'query'],
      ['patients', 'searchQuery'],
    ] as const) {
      await page.goto(`/${list}?${parameter}=Wholename`);
      const cell = page.getByRole('rowheader').filter({ hasText: name });
      await expect(cell).toBeVisible();
      await page.screenshot({ path: testInfo.outputPath(`${list}-${width}.png`) });
      expect(await isWhole(cell), `${list} at ${width}`).toBe(true);
    }
  }
});
