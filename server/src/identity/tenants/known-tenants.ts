import { t } from '@radwork/contract/core/translate';
import type { Query } from '@radwork/contract/core/endpoint';
import { type Page, pageOf } from '@radwork/contract/core/paging';
import { locales, type Tenant, type tenants as endpoints } from '@radwork/contract/identity/tenants';
import { type RawBuilder, sql } from 'kysely';
import { forbidden, orNotFound } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';

type Row = {
  id: number;
  public_id: string;
  name: string;
  subdomain: string;
  time_zone: string;
  locale: string;
  storage_quota_bytes: number | null;
  suspended_at: string | null;
  suspended_reason: string;
  created_at: string;
  stored_bytes: number;
  active_users: number;
  super_administrators: number;
  is_home: boolean;
  is_used: boolean;
  settings_revision: number;
};

/**
 * A tenant as callers with rights across tenants see it. `number` restricts a scope to the tenant. It never leaves the
 * server.
 */
export type KnownTenant = { number: number; tenant: Tenant };

/**
 * Selects the tenants of the installation. The database refuses callers who are not super administrators (migration
 * 0040).
 */
const known = ({ session }: Scope): RawBuilder<Row> => sql`tenants_of_installation(${session.id})`;

export const list = async (scope: Scope, tenantQuery: Query<typeof endpoints.list>): Promise<Page<Tenant>> => {
  const { query, status, page, size } = tenantQuery;
  const words = `%${(query ?? '').replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const matching = sql`from ${known(scope)} t
    where (t.name ilike ${words} or t.subdomain ilike ${words})
      and ${status === undefined ? sql`true` : sql`(t.suspended_at is null) = ${status === 'ACTIVE'}`}`;
  const { rows: counts } = await sql<{ total: number }>`select count(*) as total ${matching}`.execute(scope.db);
  const { rows } = await sql<Row>`select * ${matching}
    order by lower(t.name), t.id limit ${size} offset ${page * size}`.execute(scope.db);
  return pageOf(rows.map(toTenant), counts[0]?.total ?? 0, tenantQuery);
};

/**
 * Converts a refusal by the database to a 403. The database checks the session again, because the rights of the caller
 * may have changed.
 */
export const refusedByDatabase = (error: unknown): never => {
  const { code } = (error ?? {}) as { code?: string };
  throw code === '42501' ? forbidden(t`Your permissions changed. Sign in again.`) : error;
};

/** Returns the tenant with this ID. Throws 404, and 403 when the caller just lost the right to administer tenants. */
export const knownTenant = async (scope: Scope, id: string): Promise<KnownTenant> => {
  const { rows } = await sql<Row>`select * from ${known(scope)} t where t.public_id = ${id}`
    .execute(scope.db)
    .catch(refusedByDatabase);
  const row = orNotFound(rows[0], 'organization');
  return { number: row.id, tenant: toTenant(row) };
};

export const localeOf = (stored: string): Tenant['locale'] => locales.find((locale) => locale === stored) ?? 'en-GB';

const toTenant = (row: Row): Tenant => ({
  id: row.public_id,
  name: row.name,
  subdomain: row.subdomain,
  timeZone: row.time_zone,
  locale: localeOf(row.locale),
  storageQuotaBytes: row.storage_quota_bytes,
  isActive: row.suspended_at === null,
  suspendedAt: row.suspended_at,
  suspendedReason: row.suspended_reason,
  createdAt: row.created_at,
  storedBytes: row.stored_bytes,
  activeUsers: row.active_users,
  superAdministrators: row.super_administrators,
  isHome: row.is_home,
  isUsed: row.is_used,
  revision: row.settings_revision,
});
