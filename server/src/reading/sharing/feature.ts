import { defineFeature } from '#core/feature.ts';
import { sharingRoutes } from './routes.ts';

export const feature = defineFeature({ name: 'sharing', routes: sharingRoutes });
