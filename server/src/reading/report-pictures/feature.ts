import { defineFeature } from '#core/feature.ts';
import { reportPictureRoutes } from './routes.ts';

export const feature = defineFeature({ name: 'report-pictures', routes: reportPictureRoutes });
