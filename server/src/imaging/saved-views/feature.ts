import { defineFeature } from '#core/feature.ts';
import { savedViewRoutes } from './routes.ts';

export const feature = defineFeature({ name: 'saved-views', routes: savedViewRoutes });
