import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { createServer, type ViteDevServer } from 'vite';
import { desk, phone } from '../src/accessibility-steps.ts';
import { complaintsOf, violations } from '../src/steps.ts';
import { wordsOf } from '../src/untranslated.ts';

const web = resolve(import.meta.dirname, '../../web');
let gallery: ViteDevServer;

/** The gallery has no server. */
const noData = () => Promise.resolve('');

test.beforeAll(async () => {
  gallery = await createServer({
    configFile: resolve(web, 'gallery/vite.config.ts'),
    logLevel: 'error',
    server: { port: 0 },
  });
  await gallery.listen();
});
test.afterAll(() => gallery.close());

const openGallery = async (page: Page, size: typeof desk, language = 'en') => {
  await page.setViewportSize(size);
  await page.goto(`${gallery.resolvedUrls?.local[0]}?language=${language}`);
  await expect(page.getByRole('heading', { name: 'Component gallery' })).toBeVisible();
};

for (const size of [desk, phone]) {
  test(`all components pass the automated checks of WCAG 2.2 AA at a width of ${size.width}`, async ({ page }) => {
    const complaints = complaintsOf(page);
    await openGallery(page, size);
    expect(await violations(page)).toEqual([]);
    expect((await wordsOf(page, noData)).isWide).toBe(false);
    // The PDF reader warns about the broken document and about documents without a table of objects.
    expect(complaints.filter((complaint) => !complaint.includes('Indexing all PDF objects'))).toEqual([]);
  });
}

for (const language of ['en-XA', 'ar-XB']) {
  test(`no text of a component is cut in the pseudo-language ${language}`, async ({ page }) => {
    const languages = JSON.parse(readFileSync(resolve(web, 'dist/languages.json'), 'utf8'));
    await page.addInitScript({ path: resolve(web, `dist${languages[language].page}`) });
    await openGallery(page, desk, language);
    const { cut, isWide } = await wordsOf(page, noData);
    expect(cut).toEqual([]);
    expect(isWide).toBe(false);
    await expect(page.getByRole('button', { name: 'Retry' })).toHaveCount(0);
  });
}
