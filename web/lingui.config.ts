import { defineConfig } from '@lingui/cli';
import { formatter } from '@lingui/format-po';
import { createSwcExtractor } from '@lingui/native-tools';

/** English sentences are in the source. `npm run messages -w web` collects them for translators. */
export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'en-XA'],
  pseudoLocale: 'en-XA',
  catalogs: [
    { path: '<rootDir>/src/messages/{locale}', include: ['<rootDir>/src'], exclude: ['**/*.test.*', '**/test/**'] },
  ],
  extractors: [createSwcExtractor()],
  format: formatter({ origins: false }),
  orderBy: 'message',
  // Our Trans needs no provider.
  runtimeConfigModule: { Trans: ['#ui/trans.tsx', 'Trans'] },
});
