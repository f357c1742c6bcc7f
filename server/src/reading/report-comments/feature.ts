import { defineFeature } from '#core/feature.ts';
import { reportCommentRoutes } from './routes.ts';

export const feature = defineFeature({ name: 'report-comments', routes: reportCommentRoutes });
