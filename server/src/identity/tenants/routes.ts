import { signingHolds } from '@radwork/contract/identity/signing-holds';
import { ownOrganization, setup, tenantExport, tenants } from '@radwork/contract/identity/tenants';
import type { Context } from '#core/context.ts';
import type { Routes } from '#core/http/http.ts';
import { create, setStatus, update } from './administer-tenants.ts';
import { exportTenant } from './export-tenant.ts';
import { checkSetup, completeSetup } from './first-start.ts';
import { knownTenant, list } from './known-tenants.ts';
import { productNameOf, read, save } from './organization-settings.ts';
import { readTenantRule, saveTenantRule } from './signing-rule.ts';

export const tenantRoutes = ({ serve, servePublic, serveStream }: Routes, context: Context) => {
  const { scopes, sessions } = context;
  serve(tenants.list, (scope, { query }) => list(scope, query));
  serve(tenants.create, (scope, { body }) => create(scope, context, body));
  serve(tenants.get, async (scope, { params }) => (await knownTenant(scope, params.id)).tenant);
  serve(tenants.update, (scope, { params, body }) => update(scope, scopes, params.id, body));
  serve(tenants.setStatus, (scope, { params, body }) => setStatus(scope, scopes, params.id, body));
  serveStream('', tenantExport, (call) => exportTenant(scopes, call));
  serve(signingHolds.tenantRule, (scope, { params }) => readTenantRule(scope, scopes, params.id));
  serve(signingHolds.setTenantRule, (scope, { params, body }) => saveTenantRule(scope, scopes, params.id, body));
  serve(ownOrganization.read, (scope) => read(scope));
  serve(ownOrganization.save, (scope, { body }) => save(scope, sessions, body));
  servePublic(ownOrganization.brand, async ({ query }) => ({
    productName: await productNameOf(scopes, query.organization),
  }));
  servePublic(setup.check, ({ body }) => checkSetup(scopes, body.token));
  servePublic(setup.complete, ({ body }, { address }) => completeSetup(context, body, address));
};
