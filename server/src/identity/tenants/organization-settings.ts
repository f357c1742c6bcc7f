import { t } from '@radwork/contract/core/translate';
import { secondFactorPolicies } from '@radwork/contract/identity/accounts';
import { contradictingPatients } from '@radwork/contract/core/patient-issuer';
import type { OrganizationForm, OrganizationSettings } from '@radwork/contract/identity/tenants';
import { type Selectable, sql } from 'kysely';
import { announce } from '#core/live/announce.ts';
import { audit } from '#core/audit/audit.ts';
import type { Tenants } from '#core/database/schema.ts';
import { conflict, invalid } from '#core/http/problem.ts';
import type { Scope, Scopes } from '#core/access/scope.ts';
import type { Sessions } from '#core/access/sessions.ts';
import { localeOf } from './known-tenants.ts';

type Row = Selectable<Tenants>;

/** Returns the settings of the caller's organization. */
export const read = async (scope: Scope): Promise<OrganizationSettings> => {
  const row = await scope.db.selectFrom('tenants').selectAll().executeTakeFirstOrThrow();
  return toSettings(scope, row);
};

/** Saves the settings. Throws 409 when another user has saved in the meantime. */
export const save = async (scope: Scope, sessions: Sessions, form: OrganizationForm): Promise<OrganizationSettings> => {
  const before = await scope.db.selectFrom('tenants').selectAll().forNoKeyUpdate().executeTakeFirstOrThrow();
  if (before.settings_revision !== form.revision) {
    throw conflict('organization.changed', t`Another user changed the settings. Nothing was saved. Reload them.`);
  }
  if (form.secondFactorPolicy === 'EVERYBODY') await refuseSignInsWithoutFactor(scope);
  // Empties the cache of permissions at once, before the database announces the change, because the settings may change
  // which studies users see.
  scope.afterCommit(() => sessions.forget());
  const row = await scope.db
    .updateTable('tenants')
    .set({ ...columnsOf(form), settings_revision: form.revision + 1 })
    .returningAll()
    .executeTakeFirstOrThrow();
  const detail = changesBetween(before, row);
  if (Object.keys(detail).length > 0) {
    await audit(scope, 'organisation.update', { entity: 'tenant', entityId: row.public_id, detail });
    await announce(scope, { kind: 'everything' });
  }
  return toSettings(scope, row);
};

/**
 * Refuses to require second factors when single sign-on does not require them. The settings of single sign-on make the
 * reverse check.
 */
const refuseSignInsWithoutFactor = async ({ db }: Scope): Promise<void> => {
  const open = await db
    .selectFrom('single_sign_on')
    .select('tenant_id')
    .where('is_on', '=', true)
    .where('required_acr', '=', '')
    .where('required_amr', '=', '')
    .executeTakeFirst();
  if (!open) return;
  throw invalid({
    secondFactorPolicy: t`Single sign-on does not confirm a second factor. First enter its acr or amr value under Single sign-on.`,
  });
};

/** Returns the product name for the sign-in page. Empty for the default name. */
export const productNameOf = async (scopes: Scopes, subdomain: string | undefined): Promise<string> => {
  if (!subdomain) return '';
  const { rows } = await scopes.withoutTenant((db) =>
    sql<{ name: string | null }>`select find_product_name(${subdomain}) as name`.execute(db),
  );
  return rows[0]?.name ?? '';
};

const columnsOf = (form: OrganizationForm) => ({
  name: form.name,
  time_zone: form.timeZone,
  locale: form.locale,
  product_name: form.productName,
  recycle_bin_days: form.recycleBinDays,
  audit_years: form.auditYears,
  do_referrers_see_all: form.referrersSee === 'ALL',
  second_factor_policy: form.secondFactorPolicy,
  contradicting_patients: form.contradictingPatients,
  upload_issuer: form.uploadIssuer,
});

const changesBetween = (before: Row, after: Row) => {
  const columns = [
    'name',
    'time_zone',
    'locale',
    'product_name',
    'recycle_bin_days',
    'audit_years',
    'do_referrers_see_all',
    'second_factor_policy',
    'contradicting_patients',
    'upload_issuer',
  ] as const;
  return Object.fromEntries(
    columns.filter((column) => before[column] !== after[column]).map((column) => [column, after[column]]),
  );
};

const toSettings = async ({ db }: Scope, row: Row): Promise<OrganizationSettings> => {
  const { bytes } = await db
    .selectFrom('storage_use')
    .select(sql<number>`coalesce(sum(bytes), 0)::bigint`.as('bytes'))
    .executeTakeFirstOrThrow();
  return {
    name: row.name,
    timeZone: row.time_zone,
    locale: localeOf(row.locale),
    productName: row.product_name,
    recycleBinDays: row.recycle_bin_days,
    auditYears: row.audit_years,
    referrersSee: row.do_referrers_see_all ? 'ALL' : 'OWN',
    // A database constraint allows only these values.
    secondFactorPolicy:
      secondFactorPolicies.find((secondFactorPolicy) => secondFactorPolicy === row.second_factor_policy) ?? 'EVERYBODY',
    contradictingPatients:
      contradictingPatients.find((contradictingPatient) => contradictingPatient === row.contradicting_patients) ??
      'REFUSE',
    uploadIssuer: row.upload_issuer,
    revision: row.settings_revision,
    subdomain: row.subdomain,
    storedBytes: bytes,
    storageQuotaBytes: row.storage_quota_bytes,
  };
};
