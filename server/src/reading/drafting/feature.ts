import { defineFeature } from '#core/feature.ts';
import { draftingRoutes } from './routes.ts';

export const feature = defineFeature({ name: 'drafting', routes: draftingRoutes });
