import { defineFeature } from '#core/feature.ts';
import { liveRoutes } from './routes.ts';

export const feature = defineFeature({ name: 'live', routes: liveRoutes });
