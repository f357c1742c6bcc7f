import { defineFeature } from '#core/feature.ts';
import { sessionRoutes } from './routes.ts';

export const feature = defineFeature({ name: 'sessions', routes: sessionRoutes });
