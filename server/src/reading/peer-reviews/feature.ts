import { defineFeature } from '#core/feature.ts';
import { startDrawing } from './jobs.ts';
import { peerReviewRoutes } from './routes.ts';

export const feature = defineFeature({
  name: 'peer-reviews',
  routes: peerReviewRoutes,
  start: ({ context: { scopes }, log }) =>
    startDrawing(scopes, (error) => log.error({ err: error }, 'choosing reports for peer review failed')),
});
