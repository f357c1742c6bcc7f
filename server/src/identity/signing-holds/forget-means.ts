import { audit } from '#core/audit/audit.ts';
import type { Scope } from '#core/access/scope.ts';

/** Locks the user, so that changes to the user's signature, PIN and holds wait for each other. */
export const lockOwner = async ({ db }: Scope, userId: string): Promise<void> => {
  await db.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
};

/**
 * Deletes a signature and a PIN that were set after the first of these holds, because another person may have set them.
 * Returns whether anything was deleted.
 */
export const removeMeansSetDuringHolds = async (scope: Scope, holdIds: readonly string[]): Promise<boolean> => {
  if (holdIds.length === 0) return false;
  const { db } = scope;
  const openHolds = await db
    .selectFrom('signing_holds')
    .select(({ fn }) => ['user_id', fn.min('placed_at').as('since')])
    .where('id', 'in', holdIds)
    .groupBy('user_id')
    .execute();
  let count = 0n;
  for (const { user_id, since } of openHolds) {
    await lockOwner(scope, user_id);
    let ofUser = 0n;
    for (const table of ['saved_signatures', 'signing_pins'] as const) {
      const gone = await db
        .deleteFrom(table)
        .where('user_id', '=', user_id)
        .where('saved_at', '>=', since)
        .executeTakeFirst();
      ofUser += gone.numDeletedRows;
    }
    if (ofUser > 0n) await audit(scope, 'signing_means.forget', { entity: 'user', entityId: user_id });
    count += ofUser;
  }
  return count > 0n;
};
