import { defineFeature } from '#core/feature.ts';
import { libraryRoutes } from './routes.ts';

export const feature = defineFeature({ name: 'library', routes: libraryRoutes });
