import { defineFeature } from '#core/feature.ts';
import { templateRoutes } from './routes.ts';

export const feature = defineFeature({ name: 'templates', routes: templateRoutes });
