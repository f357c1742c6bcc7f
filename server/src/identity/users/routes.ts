import { userExport, users } from '@radwork/contract/identity/users';
import type { Context } from '#core/context.ts';
import type { Routes } from '#core/http/http.ts';
import { setRoles, setStatus, update } from './change-user.ts';
import { exportUsers } from './export-users.ts';
import { get, list, search } from './list-users.ts';
import { create, remove, resetPassword } from './create-user.ts';
import { addingIn, inTenantOf, move } from './other-tenants.ts';
import { roleChoices } from '#identity/user-records/user-rows.ts';

export const userRoutes = ({ serve, serveStream, serveWaiting }: Routes, context: Context) => {
  const { scopes } = context;
  serve(users.list, (scope, { query }) => list(scope, query));
  serveStream('', userExport, (call) => exportUsers(scopes, call));
  serve(users.search, (scope, { query }) => search(scope, query));
  serve(users.roleChoices, (scope) => roleChoices(scope));
  serve(users.get, (scope, { params }) => get(scope, params.id));
  serve(users.update, (scope, { params, body }) => update(scope, context, params.id, body));
  serve(users.remove, (scope, { params }) => remove(scope, context, params.id));
  serve(users.setStatus, (scope, { params, body }) => setStatus(scope, context, params.id, body.active));
  serve(users.setRoles, (scope, { params, body }) => setRoles(scope, context, params.id, body.roles));
  serve(users.resetPassword, (scope, { params }) => resetPassword(scope, context, params.id));
  // These endpoints open their own scopes, because they may work in another tenant than the current one.
  serveWaiting(users.create, (session, { body: { tenantId, ...form } }) =>
    addingIn(scopes, session, tenantId, (scope) => create(scope, context, form)),
  );
  serveWaiting(users.setTenant, (session, { params, body }) => move(context, session, params.id, body.tenantId));
  serveWaiting(users.ofTenant, (session, { params, query }) =>
    inTenantOf(scopes, session, params.id, (scope) => list(scope, query)),
  );
};
