import { defineFeature } from '#core/feature.ts';
import { singleSignOnRoutes } from './routes.ts';

export const feature = defineFeature({ name: 'single-sign-on', routes: singleSignOnRoutes });
