import { defineFeature } from '#core/feature.ts';
import { chatRoutes } from './routes.ts';

export const feature = defineFeature({ name: 'chat', routes: chatRoutes });
