import { defineFeature } from '#core/feature.ts';
import { startFollowUpRounds } from './jobs.ts';
import { followUpRoutes } from './routes.ts';

export const feature = defineFeature({
  name: 'follow-ups',
  routes: followUpRoutes,
  start: ({ context: { scopes }, log }) =>
    startFollowUpRounds(scopes, (error) => log.error({ err: error }, 'work on follow-ups failed')),
});
