import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { newId } from '#core/ids.ts';
import type { Scope } from '#core/scope.ts';
import { hashOfToken } from '#core/sessions.ts';

export type PasswordLinkPurpose = 'INVITE' | 'RESET';

/** Minutes that a link works: whoever asked to be let in again waits for it, whoever is invited may be on holiday. */
export const minutesOf: Record<PasswordLinkPurpose, number> = { INVITE: 7 * 24 * 60, RESET: 30 };

/**
 * Has links that were made for a user work no more: when they went to an address that is theirs no longer, when their
 * owner is let in no more, and when their password was changed meanwhile.
 */
export const endPasswordLinks = async ({ db }: Scope, userId: string): Promise<void> => {
  await db
    .updateTable('password_links')
    .set({ used_at: sql`now()` })
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .execute();
};

/**
 * Makes the link by which a user sets a password of their own, once (D-27); links made for them before work no more.
 * Returns its path within the product, which nobody can read again. The token stands behind a "#", so that it is in no
 * server's or proxy's log.
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
