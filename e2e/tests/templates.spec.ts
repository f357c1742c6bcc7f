import { expect, type Page, test } from '@playwright/test';
import { registerStudy } from '../src/api-steps.ts';
import { complaintsOf, signIn, violations } from '../src/steps.ts';

const text = (page: Page) => page.getByRole('textbox', { name: 'Report text' });
const saved = (page: Page) => expect(page.getByText('Template saved')).toBeVisible();

/** Writes a template of two sections, and moves the second to the front with keys. */
const writeTemplate = async (page: Page) => {
  await page.goto('/templates');
  await page.getByRole('button', { name: 'Create template' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: false }).first().fill('CT of a journey');
  await page.getByLabel('Modality').selectOption('CT');
  await page.getByRole('combobox', { name: 'Body part' }).fill('JOURNEY');
  const sections = page.getByRole('list', { name: 'Sections' });
  for (const name of ['Indication', 'Comparison', 'Impression']) {
    await sections.getByRole('button', { name }).click();
    await page.getByRole('button', { name: 'Delete section' }).click();
  }
  await sections.getByRole('button', { name: 'Technique' }).click();
  await text(page).click();
  await page.keyboard.type('CT of {{patient.name}}, order {{order.number}}.');
  await sections.getByRole('button', { name: 'Findings' }).click();
  await text(page).click();
  await page.keyboard.type('Lungs: [lungs]');
  await sections.getByRole('button', { name: 'Findings' }).press('Alt+ArrowUp');
  await expect(sections.getByRole('button')).toHaveText(['Findings', 'Technique']);
  await text(page).click();
  await page.keyboard.press('Control+s');
  await saved(page);
};

test('an administrator writes a template, and a radiologist starts a report from it', async ({ browser }) => {
  const [office, desk] = [await browser.newContext(), await browser.newContext()];
  const [admin, reader] = [await office.newPage(), await desk.newPage()];
  const complaints = [complaintsOf(admin), complaintsOf(reader)];
  await signIn(admin, 'admin');
  await writeTemplate(admin);
  expect(await violations(admin)).toEqual([]);
  const { id } = await registerStudy(admin, {
    name: 'Templatejourney, Tess',
    patientId: 'E2E-TEMPLATE',
    description: 'Journey',
  });

  await signIn(reader, 'radiologist');
  await reader.goto(`/studies/${id}`);
  await reader.getByRole('button', { name: 'Create report' }).click();
  // The best template appears, and nothing is saved.
  await expect(text(reader)).toContainText('Lungs: [lungs]');
  await expect(text(reader)).toBeFocused();
  await expect(reader.getByText('From template. Nothing is saved yet.')).toBeVisible();
  await reader.keyboard.press('ControlOrMeta+a');
  await reader.keyboard.press('Delete');
  await reader.keyboard.press('F8');
  const picker = reader.getByRole('dialog', { name: 'Templates' });
  await picker.getByRole('searchbox', { name: 'Search templates' }).fill('journey');
  await picker.getByRole('button', { name: /^CT of a journey/ }).click();
  await expect(picker.getByText('[lungs]')).toBeVisible();
  await picker.getByRole('button', { name: 'Insert', exact: true }).click();

  // The first unfilled field is selected: typing replaces it, and Tab moves to the next.
  await expect(text(reader)).toBeFocused();
  await reader.keyboard.type('nad ');
  await expect(text(reader)).toContainText('Lungs: No acute disease in the chest.');
  await reader.keyboard.press('Control+z');
  await expect(text(reader)).toContainText('Lungs: nad');
  await reader.keyboard.press('Tab');
  await reader.keyboard.type('O-77');
  await expect(text(reader)).toContainText('order O-77.');
  await reader.keyboard.press('Control+End');
  await reader.keyboard.type(' /nocomp');
  await reader.keyboard.press('Enter');
  await expect(text(reader)).toContainText('No prior study is available for comparison.');
  await expect(text(reader)).not.toContainText('{{');

  expect(complaints.flat()).toEqual([]);
});
