import { defineFeature } from '#core/feature.ts';
import { accountRoutes } from './routes.ts';

export const feature = defineFeature({ name: 'accounts', routes: accountRoutes });
