import { defineFeature } from '#core/feature.ts';
import { macroRoutes } from './routes.ts';

export const feature = defineFeature({ name: 'macros', routes: macroRoutes });
