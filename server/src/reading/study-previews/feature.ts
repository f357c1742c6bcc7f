import { defineFeature } from '#core/feature.ts';
import { studyPreviewRoutes } from './routes.ts';

export const feature = defineFeature({ name: 'study-previews', routes: studyPreviewRoutes });
