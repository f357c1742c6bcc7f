import { defineFeature } from '#core/feature.ts';
import { tenantRoutes } from './routes.ts';

export const feature = defineFeature({ name: 'tenants', routes: tenantRoutes });
