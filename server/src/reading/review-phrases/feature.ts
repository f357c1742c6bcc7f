import { defineFeature } from '#core/feature.ts';
import { reviewPhraseRoutes } from './routes.ts';

export const feature = defineFeature({ name: 'review-phrases', routes: reviewPhraseRoutes });
