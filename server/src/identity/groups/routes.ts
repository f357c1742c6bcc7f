import { groups } from '@radwork/contract/identity/groups';
import type { Context } from '#core/context.ts';
import type { Routes } from '#core/http/http.ts';
import { create, get, list, remove, setLimit, update } from './service.ts';

export const groupRoutes = ({ serve }: Routes, { sessions }: Context) => {
  serve(groups.list, (scope) => list(scope));
  serve(groups.get, (scope, { params }) => get(scope, params.id));
  serve(groups.create, (scope, { body }) => create(scope, sessions, body));
  serve(groups.update, (scope, { params, body }) => update(scope, sessions, params.id, body));
  serve(groups.remove, (scope, { params }) => remove(scope, sessions, params.id));
  serve(groups.setLimit, (scope, { params, body }) => setLimit(scope, sessions, params.id, body.isLimited));
};
