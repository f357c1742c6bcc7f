import { defineFeature } from '#core/feature.ts';
import { startThumbnails } from './jobs.ts';

export const feature = defineFeature({
  name: 'thumbnails',
  routes: () => {},
  start: ({ context, log }) =>
    startThumbnails(context, (error) => log.error({ err: error }, 'thumbnails of a study were not rendered')),
});
