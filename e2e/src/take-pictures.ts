import { resolve } from 'node:path';
import { chromium, type Locator } from '@playwright/test';

/**
 * Saves the screens of the README into docs/images. Needs a server with the demo data and Chromium.
 *
 * Usage: node e2e/src/take-pictures.ts ADDRESS PASSWORD
 */

const [, , address, password] = process.argv;
if (!address || !password) throw new Error('Usage: node e2e/src/take-pictures.ts ADDRESS PASSWORD');

const folder = resolve(import.meta.dirname, '../../docs/images');
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});
const page = await browser.newPage({
  baseURL: address,
  viewport: { width: 1440, height: 900 },
  reducedMotion: 'reduce',
});
const take = (name: string) => page.screenshot({ path: `${folder}/${name}.png` });
/** Waits until all pictures of the page, such as thumbnails, are loaded. */
const imagesArrive = () =>
  page.waitForFunction(() => [...document.images].every(({ complete, naturalWidth }) => complete && naturalWidth > 0));
const rowOf = (description: string) => page.getByRole('row').filter({ hasText: description }).first();

await page.goto('/login');
await page.getByLabel('Username').fill('radiologist');
await page.getByLabel('Password', { exact: true }).fill(password);
await page.getByRole('button', { name: 'Sign in' }).click();
await page.waitForURL(/\/dashboard/);

await page.goto('/studies');
await rowOf('CT Chest').waitFor();
await take('studies');

await rowOf('CT Chest').click();
await page.keyboard.press('Enter');
await page.getByRole('button', { name: 'Create report' }).click();
await page.getByText('Findings').first().waitFor();
const priors = page.getByRole('region', { name: 'Prior studies' });
await priors.getByRole('button', { pressed: false }).first().click();
await page.getByText('Signed by').first().waitFor();
await imagesArrive();
await take('study');

/** Opens a viewer of a study of the worklist, and waits until its images are drawn. */
const openViewer = async (viewer: string, description: string, drawn: Locator) => {
  await page.goto('/studies');
  await rowOf(description).click();
  await page.keyboard.press('v');
  await page.waitForURL(/\/viewer\//);
  const studyUid = new URL(page.url()).pathname.split('/').at(-1);
  await page.goto(`/${viewer}/${studyUid}`);
  await drawn.first().waitFor();
  await page.getByRole('status').filter({ hasText: 'slices' }).waitFor({ state: 'detached' });
  await imagesArrive();
};

await openViewer('viewer', 'CT Chest', page.getByTestId('image-number'));
await take('viewer');
await openViewer('mpr', 'CT Chest', page.getByText(/^W \d/));
await take('viewer-planes');
await openViewer('petct', 'PET/CT FDG', page.getByTestId('scale-bar'));
await take('viewer-fusion');
await browser.close();
