import { expect, type Page, test } from '@playwright/test';
import { registerStudy } from '../src/api-steps.ts';
import { complaintsOf, signIn } from '../src/steps.ts';

const text = (page: Page) => page.getByRole('textbox', { name: 'Report text' });

/** Opens the editor of a new report. */
const write = async (page: Page, patientId: string) => {
  await signIn(page, 'radiologist');
  const { id } = await registerStudy(page, { name: 'Hands, Hanna', patientId });
  await page.goto(`/studies/${id}`);
  await page.getByRole('button', { name: 'Create report' }).click();
  await text(page).click();
};

test('selected text shows a toolbar, and Escape closes it', async ({ page }) => {
  const complaints = complaintsOf(page);
  await write(page, 'E2E-BUBBLE');
  const menu = page.getByRole('toolbar', { name: 'Selected text' });
  await page.keyboard.type('A small nodule');
  await expect(menu).toBeHidden();

  await page.keyboard.press('Control+Shift+ArrowLeft');
  await expect(menu).toBeVisible();
  for (const name of ['Bold', 'Italic', 'Underline', 'Subscript', 'Superscript', 'Link']) {
    await expect(menu.getByRole('button', { name, exact: true })).toBeVisible();
  }
  await menu.getByRole('button', { name: 'Bold', exact: true }).click();
  await expect(text(page).locator('strong')).toHaveText('nodule');
  await expect(menu).toBeVisible();

  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
  expect(await page.evaluate(() => window.getSelection()?.toString())).toBe('nodule');

  await page.keyboard.press('Control+Shift+ArrowLeft');
  await expect(menu).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(menu).toBeHidden();
  await expect(text(page)).toHaveText('A small nodule');
  expect(complaints).toEqual([]);
});

test('keys pressed in quick succession act in order, each at the position after the key before', async ({ page }) => {
  await write(page, 'E2E-BURST');
  await page.keyboard.type('No effusion');
  // The keys follow each other without a pause. A text expander types like this, or a user who does not wait for a slow
  // page.
  await Promise.all(['Home', 'Enter', 'ArrowUp'].map((key) => page.keyboard.press(key)));
  await page.keyboard.type('Findings');
  await expect(text(page).locator('p')).toHaveText(['Findings', 'No effusion']);
});

/** An image of 300 by 200 pixels. */
const pictureFile = async (page: Page) => {
  const base64 = await page.evaluate(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 300, height: 200 });
    canvas.getContext('2d')?.fillRect(20, 20, 100, 100);
    return canvas.toDataURL('image/png').split(',')[1] ?? '';
  });
  return { name: 'nodule.png', mimeType: 'image/png', buffer: Buffer.from(base64, 'base64') };
};

const sizeOf = async (page: Page) => {
  const box = await text(page).locator('img').boundingBox();
  return { width: Math.round(box?.width ?? 0), height: Math.round(box?.height ?? 0) };
};

/** Drags the lower right corner of the image by a distance. */
const drag = async (page: Page, across: number, down: number) => {
  const corner = text(page).locator('[data-resize-handle="bottom-right"]');
  await text(page).locator('img').hover();
  const box = await corner.boundingBox();
  if (!box) throw new Error('The picture has no corner to drag');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + across / 2, y + down / 2, { steps: 4 });
  await page.mouse.move(x + across, y + down, { steps: 4 });
  await page.mouse.up();
};

test('dragging a corner resizes a picture in proportion, to at least 50 pixels', async ({ page }) => {
  const complaints = complaintsOf(page);
  await write(page, 'E2E-CORNER');
  await page.keyboard.type('See picture.');
  await page.getByRole('button', { name: 'Format', exact: true }).click();
  await page.getByRole('button', { name: 'Insert image' }).click();
  const dialog = page.getByRole('dialog', { name: 'Insert image' });
  const chooser = page.waitForEvent('filechooser');
  await dialog.getByRole('button', { name: 'Or a file' }).click();
  await (await chooser).setFiles(await pictureFile(page));
  await dialog.getByRole('button', { name: 'Insert image' }).click();
  await expect(dialog).toBeHidden();
  await expect.poll(() => sizeOf(page)).toEqual({ width: 300, height: 200 });

  await drag(page, -120, -80);
  const smaller = await sizeOf(page);
  expect(smaller.width).toBeGreaterThan(150);
  expect(smaller.width).toBeLessThan(210);
  expect(Math.abs(smaller.width / smaller.height - 1.5)).toBeLessThan(0.05);

  await drag(page, -400, -400);
  const smallest = await sizeOf(page);
  expect(Math.min(smallest.width, smallest.height)).toBe(50);
  expect(Math.abs(smallest.width / smallest.height - 1.5)).toBeLessThan(0.05);

  await page.getByRole('button', { name: 'Save as draft' }).click();
  await expect(page.getByText('Report created successfully')).toBeVisible();
  await page.reload();
  await expect.poll(() => sizeOf(page)).toEqual(smallest);
  expect(complaints).toEqual([]);
});
