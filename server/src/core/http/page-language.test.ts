import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { languageOf, pageIn, readPage } from './page-language.ts';

const folder = await mkdtemp(join(tmpdir(), 'radwork-page-'));
afterAll(() => rm(folder, { recursive: true }));
await writeFile(join(folder, 'index.html'), '<html lang="en" data-x><body>\n<div></div></body></html>');
const english = await readPage(folder);
await writeFile(
  join(folder, 'languages.json'),
  JSON.stringify({
    de: { page: '/assets/messages-de-1.js', server: 'messages/de.json' },
    'pt-BR': { page: '/assets/messages-pt-BR-2.js', server: 'messages/pt-BR.json' },
    'en-XA': { page: '/assets/xa.js', server: 'messages/en-XA.json' },
  }),
);
const page = await readPage(folder);

test.each([
  ['de', 'pt-BR', 'de'],
  ['en', 'de', 'en'],
  ['fr', 'de', 'de'],
  [undefined, undefined, 'en'],
  [undefined, 'de-AT, en;q=0.5', 'de'],
  [undefined, 'fr, pt-BR;q=0.4, de;q=0.8', 'de'],
  [undefined, 'en-GB, de;q=0.9', 'en'],
  [undefined, 'de;q=0, pt-BR;q=0.1', 'pt-BR'],
  [undefined, 'en-XA', 'en'],
  ['en-XA', undefined, 'en-XA'],
  ['__proto__', ';;q=,,', 'en'],
])('for the chosen language %s and Accept-Language "%s", the page is in %s', (chosen, accepted, language) => {
  expect(languageOf(page.languages, chosen, accepted)).toBe(language);
});

test('a page in another language loads its catalog before all other scripts', () => {
  expect(pageIn(page, 'de')).toBe(
    '<html lang="de" dir="ltr" data-x><body>\n    <script src="/assets/messages-de-1.js"></script>\n<div></div></body></html>',
  );
  expect(pageIn(page, 'en')).toBe(page.html);
});

test('a build without translation catalogs serves English', () => {
  expect(languageOf(english.languages, 'de', 'de')).toBe('en');
});
