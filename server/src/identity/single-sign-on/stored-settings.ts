import { t } from '@radwork/contract/core/translate';
import {
  groupRule,
  type GroupRule,
  objectionToRole,
  type SingleSignOnSettings,
} from '@radwork/contract/identity/single-sign-on';
import { type Selectable, sql } from 'kysely';
import { z } from 'zod';
import { journeysEnd } from './addresses.ts';
import type { Config } from '#core/config/config.ts';
import type { Database } from '#core/database/database.ts';
import type { SingleSignOn } from '#core/database/schema.ts';
import type { Scope } from '#core/access/scope.ts';
import { resealEach, type Vault, VaultError } from '#core/installation/vault.ts';
import { SsoRefusal } from './sso-refusal.ts';

export type StoredSettings = Omit<Selectable<SingleSignOn>, 'rules'> & { rules: GroupRule[] };

/** Settings of a tenant without single sign-on. */
const untouched: Omit<StoredSettings, 'tenant_id' | 'updated_at'> = {
  revision: 0,
  is_on: false,
  label: '',
  issuer: '',
  client_id: '',
  client_secret: null,
  scopes: 'openid profile email',
  username_claim: 'preferred_username',
  name_claim: 'name',
  email_claim: 'email',
  groups_claim: '',
  rules: [],
  is_admin_by_claim: false,
  fallback_type: null,
  is_enrolling: false,
  is_password_allowed: true,
  required_acr: '',
  required_amr: '',
  provider_set_by: null,
  provider_set_by_name: '',
  rights_set_by: null,
  rights_set_by_name: '',
  rights_set_at: null,
};

const rules = z.array(groupRule);

const toStored = (row: Selectable<SingleSignOn>): StoredSettings => ({ ...row, rules: rules.parse(row.rules) });

const select = ({ db }: Scope) => db.selectFrom('single_sign_on').selectAll();

/** Returns the settings of the tenant, or the defaults if none are stored. */
export const settingsOfTenant = async (scope: Scope): Promise<StoredSettings> => {
  const row = await select(scope).executeTakeFirst();
  return row ? toStored(row) : { ...untouched, tenant_id: scope.session.tenantId, updated_at: '' };
};

/** Reads the settings and locks them. Until the transaction ends, settings and connected users do not change. */
export const settingsToChange = async (scope: Scope): Promise<StoredSettings | undefined> => {
  const row = await select(scope).forUpdate().executeTakeFirst();
  return row && toStored(row);
};

/**
 * Stores that the caller chose the rights of groups. Users who thereby gain the right to sign get a signing hold
 * (identity/signing-holds).
 */
export const recordRightsChosen = async ({ db, session }: Scope): Promise<void> => {
  await db
    .updateTable('single_sign_on')
    .set({
      rights_set_by: session.userId === '' ? null : session.userId,
      rights_set_by_name: session.name || session.username,
      rights_set_at: sql`clock_timestamp()`,
    })
    .execute();
};

const secretPlace = (tenantId: number) => ({
  tenantId,
  table: 'single_sign_on',
  row: String(tenantId),
  column: 'client_secret',
});

export const sealClientSecret = (vault: Vault, tenantId: number, secret: string): string =>
  vault.seal(secret, secretPlace(tenantId));

const originOf = (address: string): string => (URL.canParse(address) ? new URL(address).origin : '');

/** Returns whether the secret for one issuer may be sent to another. */
export const isOfOneOrigin = (one: string, other: string): boolean => originOf(one) === originOf(other);

/** Returns the client secret. Undefined for a public client. Throws if the secret cannot be opened. */
export const openClientSecret = (vault: Vault, { tenant_id, client_secret }: StoredSettings): string | undefined => {
  if (client_secret === null) return undefined;
  try {
    return vault.open(client_secret, secretPlace(tenant_id));
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    throw new SsoRefusal('client_refused', t`The stored client secret cannot be decrypted. Enter it again.`);
  }
};

/**
 * Seals the client secrets of all tenants with the current key of the vault. Needs the rights of the database owner. A
 * secret that cannot be opened stays unchanged; using it throws an error.
 */
export const resealClientSecrets = async (owner: Database, vault: Vault): Promise<number> => {
  const rows = await owner.selectFrom('single_sign_on').select(['tenant_id', 'client_secret']).execute();
  return resealEach(vault, rows, {
    sealedIn: ({ tenant_id, client_secret }) => ({ sealed: client_secret, place: secretPlace(tenant_id) }),
    keep: ({ tenant_id, client_secret }, resealed) =>
      owner
        .updateTable('single_sign_on')
        .set({ client_secret: resealed })
        .where('tenant_id', '=', tenant_id)
        .where('client_secret', '=', client_secret)
        .executeTakeFirst(),
  });
};

/** Describes the settings for administrators. Says whether a secret is set, but not its value. */
export const toSettings = async (
  { db }: Scope,
  { publicUrl }: Pick<Config, 'publicUrl'>,
  stored: StoredSettings,
): Promise<SingleSignOnSettings> => {
  const roles = await db.selectFrom('roles').select(['id', 'name', 'permissions']).orderBy('name').execute();
  return {
    revision: stored.revision,
    isOn: stored.is_on,
    label: stored.label,
    issuer: stored.issuer,
    clientId: stored.client_id,
    hasClientSecret: stored.client_secret !== null,
    scopes: stored.scopes,
    usernameClaim: stored.username_claim,
    nameClaim: stored.name_claim,
    emailClaim: stored.email_claim,
    groupsClaim: stored.groups_claim,
    rules: stored.rules,
    isAdminByClaim: stored.is_admin_by_claim,
    fallbackType: stored.fallback_type,
    isEnrolling: stored.is_enrolling,
    isPasswordAllowed: stored.is_password_allowed,
    requiredAcr: stored.required_acr,
    requiredAmr: stored.required_amr,
    redirectAddress: publicUrl === undefined ? '' : journeysEnd(publicUrl),
    roles: roles.map(({ id, name, permissions }) => ({
      id,
      name,
      objection: objectionToRole(permissions, true) ?? null,
    })),
  };
};
