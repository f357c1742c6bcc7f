import { defineFeature } from '#core/feature.ts';
import { applicationEntityRoutes } from './routes.ts';

export const feature = defineFeature({ name: 'application-entities', routes: applicationEntityRoutes });
