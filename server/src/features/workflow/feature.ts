import { defineFeature } from '#core/feature.ts';
import { workflowRoutes } from './routes.ts';

export const feature = defineFeature({ name: 'workflow', routes: workflowRoutes });
