import { defineFeature } from '#core/feature.ts';
import { signingMeansRoutes } from './routes.ts';

export const feature = defineFeature({ name: 'signing-means', routes: signingMeansRoutes });
