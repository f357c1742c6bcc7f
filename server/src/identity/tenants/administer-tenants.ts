import { t } from '@radwork/contract/core/translate';
import type { Body, Reply } from '@radwork/contract/core/endpoint';
import type { Tenant, tenants as endpoints } from '@radwork/contract/identity/tenants';
import { sql } from 'kysely';
import { announce } from '#core/live/announce.ts';
import { audit } from '#core/audit/audit.ts';
import { conflict, invalid, orNotFound } from '#core/http/problem.ts';
import { unlessTaken } from '#core/database/unless-taken.ts';
import type { Scope, Scopes, Session } from '#core/access/scope.ts';
import { sendPasswordLink } from '#identity/credentials/send-password-link.ts';
import type { MailContext } from '#identity/credentials/notify-owner.ts';
import { placeHoldOnNewUser } from '#identity/signing-holds/create-hold.ts';
import { createUser } from '#identity/user-records/create-user.ts';
import { type KnownTenant, knownTenant, refusedByDatabase } from './known-tenants.ts';
import { createTenantDefaults } from './service.ts';

/*
 * Actions of super administrators on organizations. Statements across tenants are database functions, which check the
 * session again (migration 0040). Each action is audited twice: in the organization of the caller and in the affected
 * one.
 */

/** Returns the session of the caller in another tenant, so that its audit log shows the name of the caller. */
export const visiting = (session: Session, tenantId: number): Session =>
  tenantId === session.tenantId
    ? session
    : { ...session, tenantId, homeTenantId: session.homeTenantId ?? session.tenantId };

/**
 * Creates an organization, its roles and its first administrator. The administrator sets a password by a mailed link.
 */
export const create = async (
  scope: Scope,
  context: MailContext & { scopes: Scopes },
  { administrator, ...form }: Body<typeof endpoints.create>,
): Promise<Reply<typeof endpoints.create>> => {
  const { rows } = await sql<{ id: number }>`select next_tenant_id() as id`.execute(scope.db);
  const { id: tenantId } = orNotFound(rows[0], 'number');
  const { publicId, sent } = await unlessSubdomainTaken(() =>
    context.scopes.inTenant(visiting(scope.session, tenantId), async (inside) => {
      const { name, subdomain, timeZone, locale, storageQuotaBytes } = form;
      const created = await sql<{ id: string }>`
        select found_tenant(${scope.session.id}, ${name}, ${subdomain}, ${timeZone}, ${locale},
                            ${storageQuotaBytes}) as id`.execute(inside.db);
      const publicId = orNotFound(created.rows[0], 'organization').id;
      await createTenantDefaults(inside.db, tenantId);
      const userId = await createUser(inside, { ...administrator, userType: 'ADMIN', passwordHash: null });
      await audit(inside, 'tenant.create', { entity: 'tenant', entityId: publicId, detail: { subdomain } });
      await audit(inside, 'user.create', { entity: 'user', entityId: userId, detail: { userType: 'ADMIN' } });
      await placeHoldOnNewUser(inside, context, userId);
      return { publicId, sent: await sendPasswordLink(inside, context, userId, 'INVITE') };
    }),
  );
  await audit(scope, 'tenant.create', {
    entity: 'tenant',
    entityId: publicId,
    detail: { subdomain: form.subdomain },
  });
  await announce(scope, { kind: 'tenants' });
  const { tenant } = await knownTenant(scope, publicId);
  return { tenant, invitation: { username: administrator.username, sentTo: null, link: null, ...sent } };
};

/** Changes an organization. Throws 409 when another user has saved in the meantime. */
export const update = async (
  scope: Scope,
  scopes: Scopes,
  id: string,
  form: Body<typeof endpoints.update>,
): Promise<Tenant> => {
  const { number, tenant } = await knownTenant(scope, id);
  if (tenant.isUsed && form.subdomain !== tenant.subdomain) {
    throw invalid({ subdomain: t`The subdomain cannot be changed, because users and devices use it` });
  }
  await unlessSubdomainTaken(() =>
    inBoth(scope, scopes, { number, action: 'tenant.update', tenant, detail: changesOf(tenant, form) }, async (db) => {
      const { rows } = await sql<{ changed: number | null }>`
        select change_tenant(${scope.session.id}, ${id}, ${form.revision}, ${form.name}, ${form.subdomain},
                             ${form.timeZone}, ${form.locale}, ${form.storageQuotaBytes}) as changed`.execute(db);
      if (rows[0]?.changed) return;
      throw conflict('tenant.changed', t`Another user changed the organization. Nothing was saved. Reload it.`);
    }),
  );
  return (await knownTenant(scope, id)).tenant;
};

/** Suspends or resumes an organization. If the organization already has that state, changes and audits nothing. */
export const setStatus = async (
  scope: Scope,
  scopes: Scopes,
  id: string,
  { active, reason }: Body<typeof endpoints.setStatus>,
): Promise<Tenant> => {
  const { number, tenant } = await knownTenant(scope, id);
  if (!active && tenant.isHome) {
    throw conflict('tenant.is_home', t`You cannot suspend your own organization.`);
  }
  if (tenant.isActive === active) return tenant;
  const action = active ? 'tenant.resume' : 'tenant.suspend';
  await inBoth(scope, scopes, { number, action, tenant, detail: { ...(reason && { reason }) } }, (db) =>
    sql`select set_tenant_status(${scope.session.id}, ${id}, ${active}, ${reason})`.execute(db),
  );
  return (await knownTenant(scope, id)).tenant;
};

type Act = { number: number; tenant: Tenant; action: string; detail: Record<string, string | number | boolean> };

/**
 * Runs a change of an organization. Audits the change in both organizations: the changed one and that of the caller.
 */
const inBoth = async (
  scope: Scope,
  scopes: Scopes,
  { number, tenant, action, detail }: Act,
  act: (db: Scope['db']) => Promise<unknown>,
): Promise<void> => {
  const subject = { entity: 'tenant', entityId: tenant.id, detail } as const;
  const work = async (inside: Scope) => {
    await act(inside.db).catch(refusedByDatabase);
    await audit(inside, action, subject);
    // All screens of the organization must load again, because they show its name and use its time zone.
    await announce(inside, { kind: 'everything' });
  };
  if (number === scope.session.tenantId) return work(scope);
  await scopes.inTenant(visiting(scope.session, number), work);
  await audit(scope, action, subject);
  await announce(scope, { kind: 'tenants' });
};

const changesOf = (before: KnownTenant['tenant'], form: Body<typeof endpoints.update>): Act['detail'] =>
  Object.fromEntries(
    (['name', 'subdomain', 'timeZone', 'locale', 'storageQuotaBytes'] as const)
      .filter((field) => before[field] !== form[field])
      .map((field) => [field, form[field] ?? 'no limit']),
  );

/** Reports that a subdomain is in use. The sign-in page reveals existing subdomains too. */
export const unlessSubdomainTaken = <T>(work: () => Promise<T>): Promise<T> =>
  unlessTaken('tenants_subdomain_key', () => invalid({ subdomain: t`This subdomain is taken` }), { execute: work });
