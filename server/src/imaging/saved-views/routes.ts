import { savedViews } from '@radwork/contract/imaging/saved-views';
import type { Routes } from '#core/http/http.ts';
import { create, move, remove, setDefault, update } from './service.ts';
import { countsOf, viewsOf } from './saved-view-rows.ts';

export const savedViewRoutes = ({ serve }: Routes) => {
  serve(savedViews.list, (scope) => viewsOf(scope));
  serve(savedViews.counts, (scope) => countsOf(scope));
  serve(savedViews.create, (scope, { body }) => create(scope, body));
  serve(savedViews.update, (scope, { params, body }) => update(scope, params.id, body));
  serve(savedViews.move, (scope, { params, body }) => move(scope, params.id, body.at));
  serve(savedViews.setDefault, (scope, { params, body }) => setDefault(scope, params.id, body.isDefault));
  serve(savedViews.remove, (scope, { params }) => remove(scope, params.id));
};
