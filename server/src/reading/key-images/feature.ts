import { defineFeature } from '#core/feature.ts';
import { keyImageRoutes } from './routes.ts';

export const feature = defineFeature({ name: 'key-images', routes: keyImageRoutes });
