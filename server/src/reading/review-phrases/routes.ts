import { reviewPhrases } from '@radwork/contract/reading/review-phrases';
import type { Routes } from '#core/http/http.ts';
import { create, list, remove } from './service.ts';

export const reviewPhraseRoutes = ({ serve }: Routes) => {
  serve(reviewPhrases.list, (scope) => list(scope));
  serve(reviewPhrases.create, (scope, { body }) => create(scope, body));
  serve(reviewPhrases.remove, (scope, { params }) => remove(scope, params.id));
};
