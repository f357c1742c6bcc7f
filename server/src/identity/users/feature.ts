import { defineFeature } from '#core/feature.ts';
import { userRoutes } from './routes.ts';

export const feature = defineFeature({ name: 'users', routes: userRoutes });
