import { expect, test } from '@playwright/test';
import { desk, loaded, visitScreens } from '../src/accessibility-steps.ts';
import { rememberData, wordsOf } from '../src/untranslated.ts';

for (const language of ['en-XA', 'ar-XB']) {
  test(`no text of a screen is English or cut in the pseudo-language ${language}`, async ({
    page,
    context,
    baseURL,
  }) => {
    test.setTimeout(400_000);
    await page.setViewportSize(desk);
    await context.addCookies([{ name: 'language', value: language, url: baseURL ?? '' }]);
    const data = rememberData(page);
    await visitScreens(page, async (path) => {
      await loaded(page);
      const { untranslated, cut, isWide } = await wordsOf(page, data);
      if (language === 'en-XA') expect.soft(untranslated, `${path} is translated`).toEqual([]);
      expect.soft(cut, `${path} cuts no text`).toEqual([]);
      expect.soft(isWide, `${path} is wider than its window`).toBe(false);
    });
    await expect(page.locator('html')).toHaveAttribute('lang', language);
    await expect(page.locator('html')).toHaveAttribute('dir', language === 'ar-XB' ? 'rtl' : 'ltr');
  });
}
