import { defineFeature } from '#core/feature.ts';
import { storedFileRoutes } from './routes.ts';

export const feature = defineFeature({ name: 'stored-files', routes: storedFileRoutes });
