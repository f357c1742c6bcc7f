import { defineFeature } from '#core/feature.ts';
import { hangingRuleRoutes } from './routes.ts';

export const feature = defineFeature({ name: 'hanging-rules', routes: hangingRuleRoutes });
