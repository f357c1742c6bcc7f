import { defineFeature } from '#core/feature.ts';
import { startOutreach } from './jobs.ts';
import { outreachRoutes } from './routes.ts';

export const feature = defineFeature({
  name: 'outreach',
  routes: outreachRoutes,
  start: ({ context, url, log }) =>
    startOutreach(context, url, { onError: (error) => log.error({ err: error }, 'a message failed') }),
});
