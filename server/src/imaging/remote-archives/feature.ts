import { defineFeature } from '#core/feature.ts';
import { remoteArchiveRoutes } from './routes.ts';

export const feature = defineFeature({ name: 'remote-archives', routes: remoteArchiveRoutes });
