import { defineFeature } from '#core/feature.ts';
import { signingHoldRoutes } from './routes.ts';

export const feature = defineFeature({ name: 'signing-holds', routes: signingHoldRoutes });
