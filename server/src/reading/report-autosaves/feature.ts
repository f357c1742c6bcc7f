import { defineFeature } from '#core/feature.ts';
import { reportAutosaveRoutes } from './routes.ts';

export const feature = defineFeature({ name: 'report-autosaves', routes: reportAutosaveRoutes });
