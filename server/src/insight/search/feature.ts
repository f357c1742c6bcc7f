import { defineFeature } from '#core/feature.ts';
import { searchRoutes } from './routes.ts';

export const feature = defineFeature({ name: 'search', routes: searchRoutes });
