import { membersOnly } from '@radwork/contract/core/access';
import type { NotificationPreferences } from '@radwork/contract/identity/notifications';
import { forbidden } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';

/** Returns the notification types that the caller has turned off. */
export const readPreferences = async ({ db, session }: Scope): Promise<NotificationPreferences> => {
  const rows = await db
    .selectFrom('unwanted_notifications')
    .select('type')
    .where('user_id', '=', session.userId)
    .orderBy('type')
    .execute();
  return { unwanted: rows.map(({ type }) => type) };
};

/**
 * Replaces the preferences of the caller. Existing notifications stay. Throws 403 for visitors, who have no inbox in
 * this tenant.
 */
export const savePreferences = async (
  scope: Scope,
  { unwanted }: NotificationPreferences,
): Promise<NotificationPreferences> => {
  const { db, session } = scope;
  if (session.homeTenantId !== undefined) throw forbidden(membersOnly());
  // Locks the user, so that two saves at the same moment are not mixed.
  await db.selectFrom('users').select('id').where('id', '=', session.userId).forNoKeyUpdate().execute();
  await db.deleteFrom('unwanted_notifications').where('user_id', '=', session.userId).execute();
  if (unwanted.length > 0) {
    await db
      .insertInto('unwanted_notifications')
      .values(unwanted.map((type) => ({ user_id: session.userId, type })))
      .onConflict((known) => known.doNothing())
      .execute();
  }
  return readPreferences(scope);
};
