import { t } from '@radwork/contract/core/translate';
import { Problem } from '#core/http/problem.ts';
import { type Scope, type Scopes, systemSession } from '#core/access/scope.ts';

/** The error code when the password is right but the tenant requires single sign-on. */
export const passwordsAreOff = 'session.single_sign_on';

/**
 * Returns whether a user may sign in with a password. Administrators always may, so that an unavailable provider does
 * not exclude the whole tenant.
 */
export const mayUsePassword = async (scope: Scope, userId: string): Promise<boolean> => {
  const settings = await scope.db
    .selectFrom('single_sign_on')
    .select(['is_password_allowed', 'is_on'])
    .executeTakeFirst();
  if (!settings || settings.is_password_allowed || !settings.is_on) return true;
  const user = await scope.db.selectFrom('users').select('user_type').where('id', '=', userId).executeTakeFirst();
  return user?.user_type === 'ADMIN' || user?.user_type === 'SUPER_ADMIN';
};

/** Refuses a right password when the tenant requires single sign-on. */
export const refusePassword = async (
  scopes: Scopes,
  { tenant_id, user_id }: { tenant_id: number; user_id: string },
): Promise<void> => {
  const isAllowed = await scopes.inTenant(systemSession(tenant_id), (scope) => mayUsePassword(scope, user_id));
  if (isAllowed) return;
  throw new Problem(401, passwordsAreOff, t`Your organization does not use passwords. Sign in with single sign-on.`);
};
