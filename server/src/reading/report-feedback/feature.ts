import { defineFeature } from '#core/feature.ts';
import { reportFeedbackRoutes } from './routes.ts';

export const feature = defineFeature({ name: 'report-feedback', routes: reportFeedbackRoutes });
