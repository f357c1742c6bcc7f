import { byArea, permissionWords } from '@radwork/contract/permission-labels';
import { permissions } from '@radwork/contract/core/access';
import { roles } from '@radwork/contract/identity/roles';
import type { Context } from '#core/context.ts';
import type { Routes } from '#core/http/http.ts';
import { clone, create, get, list, remove, update } from './service.ts';

export const roleRoutes = ({ serve }: Routes, context: Context) => {
  serve(roles.list, (scope) => list(scope));
  serve(roles.get, (scope, { params }) => get(scope, params.id));
  serve(roles.create, (scope, { body }) => create(scope, body));
  serve(roles.clone, (scope, { params, body }) => clone(scope, params.id, body.name));
  serve(roles.update, (scope, { params, body }) => update(scope, context, params.id, body));
  serve(roles.remove, (scope, { params }) => remove(scope, params.id));
  serve(roles.permissions, async () =>
    byArea(permissions).map(({ area, permissions: names }) => ({
      area,
      permissions: names.map((name) => {
        const { label, lets } = permissionWords[name];
        return { name, label, lets };
      }),
    })),
  );
};
