import { defineFeature } from '#core/feature.ts';
import { reportRoutes } from './routes.ts';

export const feature = defineFeature({ name: 'reports', routes: reportRoutes });
