import { rejections } from '@radwork/contract/imaging/rejections';
import { defineFeature } from '#core/feature.ts';
import { list, preview, reject, restore } from './service.ts';

export const feature = defineFeature({
  name: 'rejections',
  routes: ({ serve }) => {
    serve(rejections.list, (scope, { params }) => list(scope, params.id));
    serve(rejections.preview, (scope, { params, query }) => preview(scope, params.id, query));
    serve(rejections.reject, (scope, { params, body }) => reject(scope, params.id, body));
    serve(rejections.restore, (scope, { params }) => restore(scope, params));
  },
});
