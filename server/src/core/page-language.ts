import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The cookie in which a browser keeps the language that its user chose. */
export const languageCookie = 'language';

/** Languages for tests: never chosen by `Accept-Language`. */
const pseudoLanguages = new Set(['en-XA']);

export type Page = { html: string; scripts: ReadonlyMap<string, string> };

/** Reads the built page and the scripts of its catalogs, by language. English has none. */
export const readPage = async (folder: string): Promise<Page> => {
  const html = await readFile(join(folder, 'index.html'), 'utf8');
  const scripts = await readFile(join(folder, 'languages.json'), 'utf8').catch(() => '{}');
  return { html, scripts: new Map(Object.entries(JSON.parse(scripts) as Record<string, string>)) };
};

/**
 * Chooses the language of a page: the chosen one, else the first of `Accept-Language` that has a catalog or is English
 * (RFC 9110 12.5.4), else English.
 */
export const languageOf = ({ scripts }: Page, chosen: string | undefined, accepted: string | undefined): string => {
  if (chosen && scripts.has(chosen)) return chosen;
  if (chosen === 'en') return 'en';
  const wanted = (accepted ?? '')
    .split(',')
    .map((part) => {
      const [tag = '', quality = 'q=1'] = part.trim().split(/\s*;\s*/);
      return { tag, quality: Number(quality.replace('q=', '')) || 0 };
    })
    .filter(({ quality }) => quality > 0)
    .toSorted((one, other) => other.quality - one.quality);
  for (const { tag } of wanted) {
    for (const candidate of [tag, tag.split('-')[0] ?? '']) {
      if (candidate === 'en' || (scripts.has(candidate) && !pseudoLanguages.has(candidate))) return candidate;
    }
  }
  return 'en';
};

/** Returns the page in a language: its `lang` and, except in English, the script of its catalog before all others. */
export const pageIn = ({ html, scripts }: Page, language: string): string => {
  const script = scripts.get(language);
  if (!script) return html;
  return html
    .replace('<html lang="en"', `<html lang="${language}"`)
    .replace('<body>', `<body>\n    <script src="${script}"></script>`);
};
