import { defineFeature } from '#core/feature.ts';
import { startNotificationRounds } from './jobs.ts';
import { notificationRoutes } from './routes.ts';

export const feature = defineFeature({
  name: 'notifications',
  routes: notificationRoutes,
  start: ({ context: { scopes }, log }) =>
    startNotificationRounds(scopes, (error) => log.error({ err: error }, 'notifying failed')),
});
