import { macros } from '@radwork/contract/reading/macros';
import type { Routes } from '#core/http/http.ts';
import { create, list, remove, update } from './service.ts';

export const macroRoutes = ({ serve }: Routes) => {
  serve(macros.list, (scope) => list(scope));
  serve(macros.create, (scope, { body }) => create(scope, body));
  serve(macros.update, (scope, { params, body }) => update(scope, params.id, body));
  serve(macros.remove, (scope, { params }) => remove(scope, params.id));
};
