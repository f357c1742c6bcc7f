import { defineFeature } from '#core/feature.ts';
import { reportCheckRoutes } from './routes.ts';

export const feature = defineFeature({ name: 'report-checks', routes: reportCheckRoutes });
