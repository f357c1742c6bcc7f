import { defineFeature } from '#core/feature.ts';
import { startOverdueRounds } from './jobs.ts';
import { workflowRoutes } from './routes.ts';

export const feature = defineFeature({
  name: 'workflow',
  routes: workflowRoutes,
  start: ({ context: { scopes }, log }) =>
    startOverdueRounds(scopes, (error) => log.error({ err: error }, 'notification failed')),
});
