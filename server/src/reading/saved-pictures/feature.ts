import { defineFeature } from '#core/feature.ts';
import { savedPictureRoutes } from './routes.ts';

export const feature = defineFeature({ name: 'saved-pictures', routes: savedPictureRoutes });
