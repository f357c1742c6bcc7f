import { defineFeature } from '#core/feature.ts';
import { startIdentitySearch } from './find-mixed-studies.ts';
import { identityRoutes } from './routes.ts';

export const feature = defineFeature({
  name: 'identities',
  routes: identityRoutes,
  start: ({ context: { scopes }, log }) =>
    startIdentitySearch(scopes, (error) => log.error({ err: error }, 'the search for mixed patients failed')),
});
