import { defineFeature } from '#core/feature.ts';
import { dictationRoutes } from './routes.ts';

export const feature = defineFeature({ name: 'dictation', routes: dictationRoutes });
