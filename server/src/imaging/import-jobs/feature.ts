import { defineFeature } from '#core/feature.ts';
import { startImports } from './jobs.ts';
import { importJobRoutes } from './routes.ts';

export const feature = defineFeature({
  name: 'import-jobs',
  routes: importJobRoutes,
  start: ({ context, url, log }) =>
    startImports(context, url, { onError: (error) => log.error({ err: error }, 'an import failed') }),
});
