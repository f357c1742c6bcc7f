import { defineFeature } from '#core/feature.ts';
import { auditRoutes } from './routes.ts';

export const feature = defineFeature({ name: 'audit', routes: auditRoutes });
