import { defineFeature } from '#core/feature.ts';
import { patientRoutes } from './routes.ts';

export const feature = defineFeature({ name: 'patients', routes: patientRoutes });
