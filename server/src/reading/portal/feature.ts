import { defineFeature } from '#core/feature.ts';
import { portalRoutes } from './routes.ts';

export const feature = defineFeature({ name: 'portal', routes: portalRoutes });
