import { defineFeature } from '#core/feature.ts';
import { startDeliveries } from './jobs.ts';
import { reportDeliveryRoutes } from './routes.ts';

export const feature = defineFeature({
  name: 'report-delivery',
  routes: reportDeliveryRoutes,
  start: ({ context, url, log }) =>
    startDeliveries(context, url, { onError: (error) => log.error({ err: error }, 'a sending failed') }),
});
