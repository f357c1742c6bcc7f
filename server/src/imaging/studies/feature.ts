import { defineFeature } from '#core/feature.ts';
import { studyRoutes } from './routes.ts';

export const feature = defineFeature({ name: 'studies', routes: studyRoutes });
