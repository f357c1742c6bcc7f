import { rereadings } from '@radwork/contract/imaging/rereadings';
import { defineFeature } from '#core/feature.ts';
import { startRereading } from './reread-headers.ts';
import { differences, progress } from './service.ts';

export const feature = defineFeature({
  name: 'rereadings',
  routes: ({ serve }) => {
    serve(rereadings.progress, (scope) => progress(scope));
    serve(rereadings.differences, (scope, { query }) => differences(scope, query));
  },
  start: ({ context: { scopes, blobs }, log }) =>
    startRereading({ scopes, blobs }, (error) => log.error({ err: error }, 'rereading the headers failed')),
});
