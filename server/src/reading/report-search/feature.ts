import { defineFeature } from '#core/feature.ts';
import { startIndexing } from './index-older-reports.ts';
import { reportSearchRoutes } from './routes.ts';

export const feature = defineFeature({
  name: 'report-search',
  routes: reportSearchRoutes,
  start: ({ context: { scopes }, log }) =>
    startIndexing({ scopes }, (error) => log.error({ err: error }, 'indexing the reports failed')),
});
