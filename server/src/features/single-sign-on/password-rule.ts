import { Problem } from '#core/problem.ts';
import { type Scope, type Scopes, systemSession } from '#core/scope.ts';
import { settingsOfTenant } from './stored-settings.ts';

/** How the right password is refused where people sign in at the provider. */
export const passwordsAreOff = 'session.single_sign_on';

/** Whether a password lets somebody in: administrators always, so that a provider that is away locks nobody out. */
export const mayUsePassword = async (scope: Scope, userId: string): Promise<boolean> => {
  const settings = await settingsOfTenant(scope);
  if (settings.is_password_allowed || !settings.is_on) return true;
  const user = await scope.db.selectFrom('users').select('user_type').where('id', '=', userId).executeTakeFirst();
  return user?.user_type === 'ADMIN' || user?.user_type === 'SUPER_ADMIN';
};

/** Refuses a password, which was the right one, where the tenant wants people to sign in at its provider. */
export const refusePassword = async (
  scopes: Scopes,
  { tenant_id, user_id }: { tenant_id: number; user_id: string },
): Promise<void> => {
  const isAllowed = await scopes.inTenant(systemSession(tenant_id), (scope) => mayUsePassword(scope, user_id));
  if (isAllowed) return;
  throw new Problem(
    401,
    passwordsAreOff,
    'Your organisation does not use passwords here. Sign in with its single sign-on.',
  );
};
