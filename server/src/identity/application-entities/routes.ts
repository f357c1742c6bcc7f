import { applicationEntities } from '@radwork/contract/identity/application-entities';
import type { Context } from '#core/context.ts';
import type { Routes } from '#core/http/http.ts';
import { create, list, remove, update } from './service.ts';

export const applicationEntityRoutes = ({ serve }: Routes, { config }: Context) => {
  serve(applicationEntities.list, (scope) => list(scope, config));
  serve(applicationEntities.create, (scope, { body }) => create(scope, config, body));
  serve(applicationEntities.update, (scope, { params, body }) => update(scope, config, params.id, body));
  serve(applicationEntities.remove, (scope, { params }) => remove(scope, params.id));
};
