import { randomUUID } from 'node:crypto';
import { expect, type Page, test } from '@playwright/test';
import { atlas } from '@radwork/contract/knowledge/atlas';
import { guidelines } from '@radwork/contract/knowledge/guidelines';
import { callAs } from '../src/api-steps.ts';
import { simpleInstance } from '@radwork/phantom/instance';
import { newUid } from '@radwork/dicom/uid';
import { complaintsOf, signIn, violations } from '../src/steps.ts';

/** PDF with the text "Radwork" in a standard font that is not embedded, followed by small empty pages. */
const pdf = (emptyPages: number): Buffer => {
  const text = 'BT /F1 48 Tf 60 700 Td (Radwork) Tj ET';
  const behind = Array.from({ length: emptyPages }, (_, index) => 6 + index);
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [3 0 R${behind.map((at) => ` ${at} 0 R`).join('')}] /Count ${1 + emptyPages} >>`,
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...behind.map(() => '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 60 60] >>'),
  ];
  let file = '%PDF-1.4\n';
  const places = objects.map((object, index) => {
    const place = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}`;
  return Buffer.from(
    `${file}${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`,
  );
};

/** An image of one red pixel. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

const image = (): Buffer =>
  simpleInstance({ StudyInstanceUID: newUid(), SeriesInstanceUID: newUid(), SOPInstanceUID: newUid() });

const look = async (page: Page, name: string) => {
  const folder = process.env.SCREENSHOTS;
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` });
};

const attack = '<img src=x onerror="window.__xss=1">';

test('an atlas entry with a PDF, an image and a DICOM file is created, found, opened file by file, and deleted', async ({
  page,
}) => {
  const complaints = complaintsOf(page);
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      throw new Error(`CSP: ${violatedDirective} ${blockedURI}`);
    });
  });
  await signIn(page, 'radiologist');
  await page.goto('/atlas');
  await page.getByRole('button', { name: 'Create Atlas' }).click();
  const form = page.getByRole('dialog', { name: 'Create Atlas' });
  await form.getByLabel('Title').fill(`Journey ${attack}`);
  await form.getByLabel('Author').fill(attack);
  await form.getByLabel('Modality').selectOption('CT');
  await form.getByLabel('Summary').fill(attack);
  await form.locator('input[type=file]').setInputFiles([
    { name: 'page.pdf', mimeType: 'application/pdf', buffer: pdf(59) },
    { name: 'pixel.png', mimeType: 'image/png', buffer: picture },
    { name: 'image.dcm', mimeType: 'application/dicom', buffer: image() },
  ]);
  expect(await violations(page, '[role=dialog]'), 'the form').toEqual([]);
  await look(page, 'form');
  await form.getByRole('button', { name: 'Create Atlas' }).click();
  await expect(page.getByText('Atlas created successfully')).toBeVisible();

  await page.getByRole('searchbox', { name: 'Search atlases' }).fill('journey');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('row', { name: /Journey/ })).toHaveCount(1);
  expect(await violations(page), 'the list').toEqual([]);
  await page.getByRole('button', { name: /^View Journey/ }).click();
  const details = page.getByRole('dialog', { name: /^Journey/ });
  await expect(details.getByText('application/pdf')).toBeVisible();
  expect(await violations(page, '[role=dialog]'), 'the details').toEqual([]);
  await look(page, 'details');

  await details.getByRole('button', { name: 'Open page.pdf' }).click();
  const sheet = page.getByRole('dialog', { name: 'page.pdf' });
  const firstPage = sheet.getByRole('img', { name: 'Page 1', exact: true });
  await expect(firstPage).toHaveAttribute('data-drawn', 'true');
  const darkest = await firstPage.evaluate((canvas: HTMLCanvasElement) => {
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
    copy?.drawImage(canvas, 0, 0);
    return copy?.getImageData(0, 0, canvas.width, canvas.height).data.reduce((one, other) => Math.min(one, other));
  });
  expect(darkest).toBeLessThan(60);
  await look(page, 'pdf');
  await expect(sheet.getByText('50 of 60 pages')).toBeVisible();
  await sheet.getByRole('button', { name: 'Show 10 more' }).click();
  await expect(sheet.getByRole('img', { name: 'Page 60' })).toBeAttached();
  await expect(sheet.getByRole('button', { name: /^Show/ })).toHaveCount(0);
  await sheet.getByRole('button', { name: 'Close' }).click();

  for (const name of ['pixel.png', 'image.dcm']) {
    await details.getByRole('button', { name: `Open ${name}` }).click();
    const dialog = page.getByRole('dialog', { name });
    await expect(dialog.locator('img')).toHaveJSProperty('complete', true);
    await expect(dialog.locator('img')).not.toHaveJSProperty('naturalWidth', 0);
    await dialog.getByRole('button', { name: 'Zoom in' }).click();
    await expect(dialog.getByText('150 %')).toBeVisible();
    expect(await violations(page, '[role=dialog]'), name).toEqual([]);
    await look(page, name);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(dialog).toBeHidden();
  }
  await page.keyboard.press('Escape');
  await expect(details).toBeHidden();
  expect(await page.evaluate(() => '__xss' in window)).toBe(false);

  await page.getByRole('button', { name: /^Delete Journey/ }).click();
  await expect(page.getByText('Are you sure you want to delete this atlas?')).toBeVisible();
  await page.getByRole('button', { name: 'Delete atlas' }).click();
  await expect(page.getByText('Atlas deleted successfully')).toBeVisible();
  expect(complaints).toEqual([]);
});

test('a guideline is shown exactly as typed', async ({ page }) => {
  const complaints = complaintsOf(page);
  await signIn(page, 'radiologist');
  await page.goto('/guidelines');
  await page.getByRole('button', { name: 'Create Guideline' }).click();
  const form = page.getByRole('dialog', { name: 'Create Guideline' });
  await form.getByLabel('Title').fill('Guideline of a journey');
  await form.getByLabel('Author').fill('Dr Journey');
  await form.getByLabel('Content').fill(`First\n  ${attack}`);
  await form.getByRole('button', { name: 'Create Guideline' }).click();
  await expect(page.getByText('Guideline created successfully')).toBeVisible();
  await page.getByRole('button', { name: 'View Guideline of a journey' }).click();

  const content = page.getByRole('region', { name: 'Content' });
  expect(await content.textContent()).toBe(`First\n  ${attack}`);
  expect(await violations(page, '[role=dialog]'), 'the details').toEqual([]);
  expect(complaints).toEqual([]);
});

test('a long author or body part leaves room for the title, and the buttons stay on the screen', async ({ page }) => {
  await signIn(page, 'admin');
  const mark = randomUUID().slice(0, 8);
  const title = `Long words ${mark}`;
  const author = 'W'.repeat(120);
  const text = { title, author, bodyPart: 'B'.repeat(64) };
  await callAs(page, atlas.create, { body: { ...text, summary: 'Words' } });
  await callAs(page, guidelines.create, { body: { ...text, content: 'C'.repeat(100) } });
  for (const width of [1440, 1240, 390]) {
    await page.setViewportSize({ width, height: 844 });
    for (const path of ['/atlas', '/guidelines']) {
      await page.goto(`${path}?q=${mark}`);
      await expect(page.getByRole('button', { name: title, exact: true }), `${path}, ${width} wide`).toBeInViewport({
        ratio: 1,
      });
      await expect(page.getByRole('button', { name: `Delete ${title}` }), `${path}, ${width} wide`).toBeInViewport({
        ratio: 1,
      });
      const cell = page.getByRole('cell', { name: author });
      await cell.hover();
      if (width > 1000) await expect(cell, path).toHaveAttribute('title', author);
      else await expect(cell, path).not.toHaveAttribute('title');
    }
  }
});
