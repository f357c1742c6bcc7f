import { defineFeature } from '#core/feature.ts';
import { readingQueueRoutes } from './routes.ts';

export const feature = defineFeature({ name: 'reading-queue', routes: readingQueueRoutes });
