import { createCompiledCatalog, getCatalogs } from '@lingui/cli/api';
import { getConfig } from '@lingui/conf';
import type { Plugin } from 'vite';
import { keyOf } from './compile-messages.ts';

/**
 * Writes a script with the catalog of each language except English, and `languages.json`, which maps languages to these
 * scripts. The server inserts the script of the user's language into the page before all others.
 */
export const emitCatalogs = (): Plugin => ({
  name: 'emit-catalogs',
  apply: 'build',
  async generateBundle() {
    const config = getConfig();
    const { sourceLocale, fallbackLocales } = config;
    const languages: Record<string, string> = {};
    for (const locale of config.locales.filter((each) => each !== sourceLocale)) {
      const messages: Record<string, string> = {};
      for (const catalog of await getCatalogs(config)) {
        const { messages: found } = await catalog.getTranslations(locale, { sourceLocale, fallbackLocales });
        const sources = (await catalog.read(sourceLocale)) ?? {};
        for (const [id, translation] of Object.entries(found)) {
          messages[keyOf(id, sources[id]?.message ?? '')] = translation;
        }
      }
      const pseudo = config.pseudoLocale.find((each) => each.locale === locale);
      const { source, errors } = createCompiledCatalog(locale, messages, {
        namespace: 'json',
        ...(pseudo && { pseudoLocale: pseudo.locale, ...(pseudo.options && { pseudoLocaleOptions: pseudo.options }) }),
      });
      for (const { id, error } of errors) this.error(`The message ${id} of ${locale} is wrong: ${error.message}`);
      const { messages: compiled } = JSON.parse(source);
      const script = `globalThis.radworkMessages=${JSON.stringify(compiled)};`;
      const file = this.emitFile({ type: 'asset', name: `messages-${locale}.js`, source: script });
      languages[locale] = `/${this.getFileName(file)}`;
    }
    this.emitFile({ type: 'asset', fileName: 'languages.json', source: JSON.stringify(languages) });
  },
});
