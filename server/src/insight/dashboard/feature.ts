import { defineFeature } from '#core/feature.ts';
import { startDashboardRounds } from './jobs.ts';
import { dashboardRoutes } from './routes.ts';

export const feature = defineFeature({
  name: 'dashboard',
  routes: dashboardRoutes,
  start: ({ context: { scopes }, log }) =>
    startDashboardRounds(scopes, {
      onDrift: (drift) => log.error(drift, 'figures of the dashboard were wrong and have been put right'),
      onError: (error) => log.error({ err: error }, 'adding up the dashboard failed'),
    }),
});
