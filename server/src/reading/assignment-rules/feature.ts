import { defineFeature } from '#core/feature.ts';
import { assignmentRuleRoutes } from './routes.ts';

export const feature = defineFeature({ name: 'assignment-rules', routes: assignmentRuleRoutes });
