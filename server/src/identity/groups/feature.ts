import { defineFeature } from '#core/feature.ts';
import { groupRoutes } from './routes.ts';

export const feature = defineFeature({ name: 'groups', routes: groupRoutes });
