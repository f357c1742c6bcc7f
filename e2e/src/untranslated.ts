import type { Page } from '@playwright/test';

/** Words that are the same in all languages: names of products, standards, keys and units. */
const international = new Set(
  `radwork dicom dicomweb hl7 fhir json csv pdf png svg jpeg http https url uid suv mpr roi api iso utc oidc smtp webhook webhooks
   ctrl esc enter shift alt tab home end del space backspace pageup pagedown mb kb gb bytes min max radiology hounsfield`
    .trim()
    .split(/\s+/),
);

export type Words = { untranslated: string[]; cut: string[]; isWide: boolean };

/** Remembers the texts that the server sends: they are data, and no page translates them. */
export const rememberData = (page: Page): (() => Promise<string>) => {
  const data: Promise<string>[] = [];
  page.on('response', (response) => {
    if (!/\/(api|dicom-web)\//.test(response.url()) || !/json|text/.test(response.headers()['content-type'] ?? ''))
      return;
    data.push(
      response.text().then(
        (text) => text.toLowerCase(),
        () => '',
      ),
    );
  });
  return async () => (await Promise.all(data)).join('\n');
};

/**
 * Finds texts on a page in the pseudo-language that are still English, and texts that are cut off or wider than their
 * window.
 */
export const wordsOf = async (page: Page, readData: () => Promise<string>): Promise<Words> => {
  const pageTexts = await page.evaluate(() => {
    const isVisible = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    const texts = new Set<string>();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      if (!parent || parent.closest('script, style, code, kbd, textarea, svg, [translate=no]') || !isVisible(parent))
        continue;
      texts.add(node.textContent?.trim() ?? '');
    }
    for (const element of document.querySelectorAll('[aria-label], [title], [placeholder], [alt]')) {
      if (element.closest('[translate=no]') || !isVisible(element)) continue;
      for (const name of ['aria-label', 'title', 'placeholder', 'alt']) texts.add(element.getAttribute(name) ?? '');
    }
    const cut = [...document.querySelectorAll('button, label, legend, th, h1, h2, h3, [role=tab], nav a')]
      .filter((element) => isVisible(element) && element.clientWidth > 0)
      .filter(
        (element) => getComputedStyle(element).overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1,
      )
      .filter((element) => !element.closest('[title]'))
      .map((element) => element.textContent?.trim().slice(0, 60) ?? '');
    return { texts: [...texts], cut, isWide: document.documentElement.scrollWidth > window.innerWidth };
  });
  const data = await readData();
  const isData = (word: string) => international.has(word) || data.includes(word);
  const untranslated = pageTexts.texts.filter((text) =>
    (text.match(/(?<![\p{L}\d])[A-Za-z]{3,}(?![\p{L}\d])/gu) ?? []).some((word) => !isData(word.toLowerCase())),
  );
  return { untranslated, cut: pageTexts.cut, isWide: pageTexts.isWide };
};
