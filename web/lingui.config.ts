import { defineConfig } from '@lingui/cli';
import { createBabelExtractor } from '@lingui/cli/api/extractors/babel';
import { formatter } from '@lingui/format-po';
import { textExtractor } from './build/extract-texts.ts';

const of = (workspace: string) => ({
  path: `<rootDir>/messages/${workspace}/{locale}`,
  include: [`<rootDir>/${workspace}/src`],
  exclude: ['**/*.test.*', '**/test/**'],
});

/** English sentences are in the source code. `npm run messages -w web` collects them for translators. */
export default defineConfig({
  rootDir: '..',
  sourceLocale: 'en',
  locales: ['en'],
  // Pseudo-languages for tests: words with accents that are 40 % longer, and words from right to left.
  pseudoLocale: [
    { locale: 'en-XA', extend: 0.4 },
    { locale: 'ar-XB', prepend: '\u202e', append: '\u202c' },
  ],
  catalogs: [of('web'), of('contract'), of('server')],
  extractors: [textExtractor, createBabelExtractor()],
  format: formatter({ origins: false }),
  orderBy: 'message',
  // Uses a `Trans` component that needs no provider.
  runtimeConfigModule: { Trans: ['#ui/trans.tsx', 'Trans'] },
});
