import { defineFeature } from '#core/feature.ts';
import { studyGroupRoutes } from './routes.ts';

export const feature = defineFeature({ name: 'study-groups', routes: studyGroupRoutes });
