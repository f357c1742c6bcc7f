import { t } from '@radwork/contract/core/translate';
import { isDeepStrictEqual } from 'node:util';
import {
  type GroupRule,
  objectionToRole,
  type SingleSignOnForm,
  type SingleSignOnSettings,
} from '@radwork/contract/identity/single-sign-on';
import { refuseGiving, refuseType, unfitFor } from '@radwork/contract/identity/user-rights';
import { sql } from 'kysely';
import { audit } from '#core/audit/audit.ts';
import type { Context } from '#core/context.ts';
import { conflict, forbidden, invalid } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { assertNot, beginManaging } from '#identity/user-records/assert-manageable.ts';
import { roleChoices } from '#identity/user-records/user-rows.ts';
import {
  isOfOneOrigin,
  sealClientSecret,
  settingsOfTenant,
  settingsToChange,
  type StoredSettings,
  toSettings,
  recordRightsChosen,
} from './stored-settings.ts';

type Parts = Pick<Context, 'config' | 'vault'>;

export const read = async (scope: Scope, { config }: Parts): Promise<SingleSignOnSettings> =>
  toSettings(scope, config, await settingsOfTenant(scope));

/**
 * Saves the settings of a submitted form. Throws 409 if another user has saved since the form was opened, and 422 with
 * the errors of the fields. Throws 403 unless the caller is an administrator who may grant every right of the groups.
 * Otherwise a user who controls the provider could gain these rights.
 */
export const save = async (
  scope: Scope,
  { config, vault }: Parts,
  form: SingleSignOnForm,
): Promise<SingleSignOnSettings> => {
  const { session, db } = scope;
  if (session.userType !== 'ADMIN' && session.userType !== 'SUPER_ADMIN') {
    throw forbidden(t`Only an administrator can change single sign-on`);
  }
  await db
    .insertInto('single_sign_on')
    .values({ revision: 0 })
    .onConflict((known) => known.column('tenant_id').doNothing())
    .execute();
  const stored = (await settingsToChange(scope)) ?? (await settingsOfTenant(scope));
  if (stored.revision !== form.revision) {
    throw conflict('single_sign_on.changed', t`Another user changed the settings. Nothing was saved. Reload them.`);
  }
  await refuseRules(scope, form);
  await refuseGivingByGroups(scope, form);
  if (!form.isPasswordAllowed) await refuseLockingOut(scope);
  await refuseWithoutFactor(scope, form);
  const columns = { ...columnsOf(form), client_secret: secretOf(scope, vault, stored, form) };
  await db
    .updateTable('single_sign_on')
    .set({ ...columns, rules: sql`${JSON.stringify(form.rules)}::jsonb` })
    .set({ revision: form.revision + 1, updated_at: sql`now()` })
    .set(isOtherProvider(stored, form) ? providerSetBy(scope) : {})
    .execute();
  if (givesOtherRights(stored, form)) await recordRightsChosen(scope);
  const saved = await settingsOfTenant(scope);
  await audit(scope, 'single_sign_on.update', {
    entity: 'single_sign_on',
    entityId: String(saved.tenant_id),
    detail: { ...changesBetween(stored, saved), ...(await rulesBetween(scope, stored, saved)) },
  });
  return toSettings(scope, config, saved);
};

const isOtherProvider = (stored: StoredSettings, form: SingleSignOnForm): boolean =>
  stored.issuer !== form.issuer || stored.client_id !== form.clientId;

/** Returns whether groups may give other rights after the change. Provider and claim decide who is in a group. */
const givesOtherRights = (stored: StoredSettings, form: SingleSignOnForm): boolean =>
  isOtherProvider(stored, form) ||
  stored.groups_claim !== form.groupsClaim ||
  stored.fallback_type !== form.fallbackType ||
  stored.is_admin_by_claim !== form.isAdminByClaim ||
  stored.scopes !== form.scopes ||
  !isDeepStrictEqual(stored.rules, form.rules);

/**
 * Returns the columns that name who chose the provider. New users from the provider get a signing hold, as if that
 * administrator had invited them (identity/signing-holds).
 */
const providerSetBy = ({ session }: Scope) => ({
  provider_set_by: session.userId === '' ? null : session.userId,
  provider_set_by_name: session.name || session.username,
});

const columnsOf = (form: SingleSignOnForm) => ({
  is_on: form.isOn,
  label: form.label,
  issuer: form.issuer,
  client_id: form.clientId,
  scopes: form.scopes,
  username_claim: form.usernameClaim,
  name_claim: form.nameClaim,
  email_claim: form.emailClaim,
  groups_claim: form.groupsClaim,
  is_admin_by_claim: form.isAdminByClaim,
  fallback_type: form.fallbackType,
  is_enrolling: form.isEnrolling,
  is_password_allowed: form.isPasswordAllowed,
  required_acr: form.requiredAcr,
  required_amr: form.requiredAmr,
});

/**
 * Returns the secret to store. The stored secret stays only for a provider of the same origin. Otherwise a user who
 * edits the URL could send the secret to another server.
 */
const secretOf = (
  { session }: Scope,
  vault: Parts['vault'],
  stored: StoredSettings,
  form: SingleSignOnForm,
): string | null => {
  if (form.clientSecret !== '') return sealClientSecret(vault, session.tenantId, form.clientSecret);
  return isOfOneOrigin(stored.issuer, form.issuer) ? stored.client_secret : null;
};

const refuseGivingByGroups = async (scope: Scope, { rules, fallbackType }: SingleSignOnForm): Promise<void> => {
  const manager = await beginManaging(scope, 'user.manage');
  const roles = await roleChoices(scope);
  const others: Pick<GroupRule, 'userType' | 'roleIds'>[] =
    fallbackType === null ? [] : [{ userType: fallbackType, roleIds: [] }];
  const allRules = [...others, ...rules];
  for (const { userType, roleIds } of allRules) {
    const chosenRoles = roles.filter(({ id, builtInFor }) =>
      roleIds.length > 0 ? roleIds.includes(id) : builtInFor === userType,
    );
    const permissions = chosenRoles.flatMap((role) => role.permissions);
    assertNot(refuseType(manager, userType) ?? refuseGiving(manager, [...new Set(permissions)]));
  }
};

/**
 * Refuses unsuitable roles, in the field of their group. A role is unsuitable if the tenant does not have it, no group
 * may give it, or the user type may not have it.
 */
const refuseRules = async ({ db }: Scope, { rules, isAdminByClaim }: SingleSignOnForm): Promise<void> => {
  const roles = await db.selectFrom('roles').select(['id', 'permissions']).execute();
  const known = new Map(roles.map(({ id, permissions }) => [id, permissions]));
  const objections = rules.flatMap(({ userType, roleIds }, index) =>
    roleIds.flatMap((id) => {
      const permissions = known.get(id);
      const isAdmin = isAdminByClaim && userType === 'ADMIN';
      const objection = permissions
        ? (objectionToRole(permissions, isAdmin) ?? unfitFor(userType, permissions))
        : t`This role no longer exists`;
      return objection ? [[`rules.${index}.roleIds`, objection]] : [];
    }),
  );
  if (objections.length > 0) throw invalid(Object.fromEntries(objections));
};

/**
 * Users of a provider need no second factor here. If the organization requires one, the provider must confirm it (ASVS
 * 5.0 6.3.4). Locks the policy until the settings are saved. `organization-settings.ts` makes the reverse check.
 */
const refuseWithoutFactor = async ({ db }: Scope, { isOn, requiredAcr, requiredAmr }: SingleSignOnForm) => {
  const { second_factor_policy: policy } = await db
    .selectFrom('tenants')
    .select('second_factor_policy')
    .forShare()
    .executeTakeFirstOrThrow();
  if (!isOn || requiredAcr !== '' || requiredAmr !== '' || policy !== 'EVERYBODY') return;
  const words = t`Your organization requires a second factor. Enter the acr or amr value that confirms it.`;
  throw invalid({ requiredAmr: words });
};

/** Requires an administrator with a password, who can change the settings when the provider is not available. */
const refuseLockingOut = async ({ db }: Scope): Promise<void> => {
  const administrator = await db
    .selectFrom('users')
    .select('id')
    .where('user_type', 'in', ['ADMIN', 'SUPER_ADMIN'])
    .where('is_active', '=', true)
    .where('password_hash', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  if (administrator) return;
  throw invalid({
    isPasswordAllowed: t`No administrator has a password. If the provider fails, no user can sign in.`,
  });
};

/** For this column, the audit log contains that it changed, but not its value. */
const secret = 'client_secret';
/** Columns that the audit entry of the settings leaves out. The rules have their own entry. */
const uninteresting: readonly string[] = [
  'revision',
  'updated_at',
  'tenant_id',
  'rules',
  'rights_set_by',
  'rights_set_by_name',
  'rights_set_at',
];

const changesBetween = (before: StoredSettings, after: StoredSettings): Record<string, string> => {
  const earlier = new Map<string, unknown>(Object.entries(before));
  const changed = Object.entries(after).filter(
    ([column, value]) =>
      !uninteresting.includes(column) && JSON.stringify(earlier.get(column)) !== JSON.stringify(value),
  );
  return Object.fromEntries(changed.map(([column, value]) => [column, column === secret ? 'changed' : plain(value)]));
};

/**
 * Describes changed rules for the audit log, because groups decide about rights. Their order matters, because the first
 * matching group counts.
 */
const rulesBetween = async (
  { db }: Scope,
  { rules: before }: StoredSettings,
  { rules: after }: StoredSettings,
): Promise<Record<string, string>> => {
  const roles = await db.selectFrom('roles').select(['id', 'name']).execute();
  const nameOf = (id: string) => roles.find((role) => role.id === id)?.name ?? id;
  const words = ({ value, userType, roleIds }: GroupRule) =>
    `${value}: ${userType}${roleIds.length > 0 ? ` (${roleIds.map(nameOf).join(', ')})` : ''}`;
  const [was, is] = [before.map(words), after.map(words)];
  if (was.join('\n') === is.join('\n')) return {};
  return { groupsBefore: was.join('; '), groups: is.join('; ') };
};

const plain = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
