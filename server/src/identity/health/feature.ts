import { defineFeature } from '#core/feature.ts';
import { healthRoutes } from './routes.ts';

export const feature = defineFeature({ name: 'health', routes: healthRoutes });
