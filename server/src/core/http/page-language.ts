import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The cookie in which a browser keeps the language that its user chose. */
export const languageCookie = 'language';

/** Artificial languages for tests. `Accept-Language` never chooses them. */
const pseudoLanguages = new Set(['en-XA', 'ar-XB']);

/** Files of each language: the script for the page and the messages of the server. English has no files. */
export type Languages = ReadonlyMap<string, { page: string; server: string }>;

export type Page = { html: string; languages: Languages };

/** Reads `languages.json` of the build. Without it, the server speaks English only. */
export const readLanguages = async (folder: string): Promise<Languages> => {
  const json = await readFile(join(folder, 'languages.json'), 'utf8').catch(() => '{}');
  return new Map(Object.entries(JSON.parse(json) as Record<string, { page: string; server: string }>));
};

/** Reads the built page and its languages. */
export const readPage = async (folder: string): Promise<Page> => ({
  html: await readFile(join(folder, 'index.html'), 'utf8'),
  languages: await readLanguages(folder),
});

/**
 * Chooses a language: the one that the user chose, else the first in `Accept-Language` that has a catalog or is English
 * (RFC 9110 12.5.4). Undefined if no language matches.
 */
export const chooseLanguage = (
  languages: Languages,
  chosen: string | undefined,
  accepted: string | undefined,
): string | undefined => {
  if (chosen && languages.has(chosen)) return chosen;
  if (chosen === 'en') return 'en';
  const preferences = (accepted ?? '')
    .split(',')
    .map((part) => {
      const [tag = '', quality = 'q=1'] = part.split(';').map((attribute) => attribute.trim());
      return { tag, quality: Number(quality.replace('q=', '')) || 0 };
    })
    .filter(({ quality }) => quality > 0)
    .toSorted((one, other) => other.quality - one.quality);
  for (const { tag } of preferences) {
    for (const candidate of [tag, tag.split('-')[0] ?? '']) {
      if (candidate === 'en' || (languages.has(candidate) && !pseudoLanguages.has(candidate))) return candidate;
    }
  }
  return undefined;
};

/** Chooses the language of a page. Without a match it is English. */
export const languageOf = (languages: Languages, chosen: string | undefined, accepted: string | undefined): string =>
  chooseLanguage(languages, chosen, accepted) ?? 'en';

/** Scripts that are written from right to left (Unicode 16, UAX 9). */
const rightToLeft = new Set(['Arab', 'Hebr', 'Thaa', 'Syrc', 'Nkoo', 'Adlm']);

const directionOf = (language: string): 'ltr' | 'rtl' =>
  rightToLeft.has(new Intl.Locale(language).maximize().script ?? '') ? 'rtl' : 'ltr';

/**
 * Returns the page in a language. The page has `lang` and, except in English, the script of the catalog before all
 * other scripts.
 */
export const pageIn = ({ html, languages }: Page, language: string): string => {
  const script = languages.get(language)?.page;
  if (!script) return html;
  return html
    .replace('<html lang="en"', `<html lang="${language}" dir="${directionOf(language)}"`)
    .replace('<body>', `<body>\n    <script src="${script}"></script>`);
};
