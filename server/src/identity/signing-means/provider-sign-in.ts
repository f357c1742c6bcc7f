import { recentSignInMinutes } from '@radwork/contract/reading/report-parts';
import { sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';
import { lockOwner } from '#identity/signing-holds/forget-means.ts';

/**
 * Uses up the caller's last new sign-in at the provider, in the transaction of the signature. One sign-in counts for
 * one signature, in any session. Returns whether there was one.
 */
export const takeProviderSignIn = async (scope: Scope): Promise<boolean> => {
  const { db, session } = scope;
  await lockOwner(scope, session.userId);
  const used = await db
    .updateTable('sessions')
    .set({ provider_used_at: sql`provider_shown_at` })
    .where('id', '=', session.id)
    .where('provider_shown_at', '>', sql<string>`now() - make_interval(mins => ${recentSignInMinutes})`)
    .where(
      sql<boolean>`not exists (select from sessions used
        where used.user_id = sessions.user_id and used.provider_used_at >= sessions.provider_shown_at)`,
    )
    .executeTakeFirst();
  return used.numUpdatedRows > 0n;
};
