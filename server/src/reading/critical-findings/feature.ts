import { defineFeature } from '#core/feature.ts';
import { startEscalation } from './jobs.ts';
import { criticalFindingRoutes } from './routes.ts';

export const feature = defineFeature({
  name: 'critical-findings',
  routes: criticalFindingRoutes,
  start: ({ context: { scopes }, log }) =>
    startEscalation(scopes, (error) => log.error({ err: error }, 'escalating failed')),
});
