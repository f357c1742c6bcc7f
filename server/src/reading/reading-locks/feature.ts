import { defineFeature } from '#core/feature.ts';
import { readingLockRoutes } from './routes.ts';

export const feature = defineFeature({ name: 'reading-locks', routes: readingLockRoutes });
