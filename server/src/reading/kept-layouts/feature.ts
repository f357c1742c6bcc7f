import { defineFeature } from '#core/feature.ts';
import { keptLayoutRoutes } from './routes.ts';

export const feature = defineFeature({ name: 'kept-layouts', routes: keptLayoutRoutes });
