import { defineFeature } from '#core/feature.ts';
import { lesionRoutes } from './routes.ts';

export const feature = defineFeature({ name: 'lesions', routes: lesionRoutes });
