import { defineFeature } from '#core/feature.ts';
import { measurementRoutes } from './routes.ts';

export const feature = defineFeature({ name: 'measurements', routes: measurementRoutes });
