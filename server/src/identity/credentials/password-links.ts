import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { newId } from '#core/values/ids.ts';
import type { Scope } from '#core/access/scope.ts';
import { hashOfToken } from '#core/access/sessions.ts';

export type PasswordLinkPurpose = 'INVITE' | 'RESET';

/** Minutes for which a link works. A user waits for a reset link, but an invited user may be on holiday. */
export const minutesOf: Record<PasswordLinkPurpose, number> = { INVITE: 7 * 24 * 60, RESET: 30 };

/** Ends all links of a user. Called when the address changes, the account is deactivated, or the password changes. */
export const endPasswordLinks = async ({ db }: Scope, userId: string): Promise<void> => {
  await db
    .updateTable('password_links')
    .set({ used_at: sql`now()` })
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .execute();
};

/**
 * Creates the link with which a user sets a password, once. Ends earlier links of the user. Returns the path in the
 * product, which cannot be read again. The token follows a "#", so that no server or proxy logs it.
 */
export const makePasswordLink = async (scope: Scope, userId: string, purpose: PasswordLinkPurpose): Promise<string> => {
  const { db, session } = scope;
  await endPasswordLinks(scope, userId);
  const token = randomBytes(32).toString('base64url');
  await db
    .insertInto('password_links')
    .values({
      id: newId(),
      user_id: userId,
      token_hash: hashOfToken(token),
      purpose,
      created_by: session.userId === '' ? null : session.userId,
      expires_at: sql`now() + make_interval(mins => ${minutesOf[purpose]})`,
    })
    .execute();
  return `/set-password#${token}`;
};
