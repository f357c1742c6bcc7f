import { defineFeature } from '#core/feature.ts';
import { reportingSettingsRoutes } from './routes.ts';

export const feature = defineFeature({ name: 'reporting-settings', routes: reportingSettingsRoutes });
