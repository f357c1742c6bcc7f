import { hangingRules } from '@radwork/contract/reading/hanging-rules';
import type { Routes } from '#core/http/http.ts';
import { create, list, move, remove, update } from './service.ts';

export const hangingRuleRoutes = ({ serve }: Routes) => {
  serve(hangingRules.list, (scope) => list(scope));
  serve(hangingRules.create, (scope, { body }) => create(scope, body));
  serve(hangingRules.update, (scope, { params, body }) => update(scope, params.id, body));
  serve(hangingRules.move, (scope, { params, body }) => move(scope, params.id, body.at));
  serve(hangingRules.remove, (scope, { params }) => remove(scope, params.id));
};
