import { defineFeature } from '#core/feature.ts';
import { roleRoutes } from './routes.ts';

export const feature = defineFeature({ name: 'roles', routes: roleRoutes });
