import { defineFeature } from '#core/feature.ts';
import { guidelineRoutes } from './routes.ts';

export const feature = defineFeature({ name: 'guidelines', routes: guidelineRoutes });
