import { defineFeature } from '#core/feature.ts';
import { atlasRoutes } from './routes.ts';

export const feature = defineFeature({ name: 'atlas', routes: atlasRoutes });
