import { createCompiledCatalog, getCatalogs } from '@lingui/cli/api';
import { getConfig, type PseudoLocaleConfigNormalized } from '@lingui/conf';
import type { Plugin } from 'vite';
import { keyOf } from './compile-messages.ts';

type Messages = Record<string, string>;

/** Returns the compiled messages as JSON. Throws for a message with an ICU error. */
const compile = (locale: string, messages: Messages, pseudo: PseudoLocaleConfigNormalized | undefined): string => {
  const { source, errors } = createCompiledCatalog(locale, messages, {
    namespace: 'json',
    ...(pseudo && { pseudoLocale: pseudo.locale, ...(pseudo.options && { pseudoLocaleOptions: pseudo.options }) }),
  });
  for (const { id, error } of errors) throw new Error(`The message ${id} of ${locale} is wrong: ${error.message}`);
  return JSON.stringify((JSON.parse(source) as { messages: unknown }).messages);
};

/**
 * Writes the catalogs of each language except English. The page gets a script with the messages of screens and
 * contract; the server gets a file. `languages.json` names both. The server inserts the script into the page before all
 * other scripts (server/src/core/http/page-language.ts).
 */
export const emitCatalogs = (): Plugin => ({
  name: 'emit-catalogs',
  apply: 'build',
  async generateBundle() {
    const config = getConfig();
    const { sourceLocale, fallbackLocales, locales, pseudoLocale } = config;
    const catalogs = await getCatalogs(config);
    const languages: Record<string, { page: string; server: string }> = {};
    const translated = locales.filter((locale) => locale !== sourceLocale);
    for (const locale of [...translated, ...pseudoLocale.map((each) => each.locale)]) {
      const pseudo = pseudoLocale.find((each) => each.locale === locale);
      const [page, server]: [Messages, Messages] = [{}, {}];
      for (const catalog of catalogs) {
        const options = { sourceLocale, fallbackLocales };
        const { messages } = await catalog.getTranslations(pseudo ? sourceLocale : locale, options);
        const sources = (await catalog.read(sourceLocale)) ?? {};
        for (const [id, translation] of Object.entries(messages)) {
          const key = keyOf(id, sources[id]?.message ?? '');
          if (!catalog.path.includes('/server/')) page[key] = translation;
          if (!catalog.path.includes('/web/')) server[key] = translation;
        }
      }
      const source = `globalThis.radworkMessages=${compile(locale, page, pseudo)};`;
      const script = this.emitFile({ type: 'asset', name: `messages-${locale}.js`, source });
      const fileName = `messages/${locale}.json`;
      this.emitFile({ type: 'asset', fileName, source: compile(locale, server, pseudo) });
      languages[locale] = { page: `/${this.getFileName(script)}`, server: fileName };
    }
    this.emitFile({ type: 'asset', fileName: 'languages.json', source: JSON.stringify(languages) });
  },
});
