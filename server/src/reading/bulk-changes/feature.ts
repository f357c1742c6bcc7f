import { defineFeature } from '#core/feature.ts';
import { bulkChangeRoutes } from './routes.ts';

export const feature = defineFeature({ name: 'bulk-changes', routes: bulkChangeRoutes });
