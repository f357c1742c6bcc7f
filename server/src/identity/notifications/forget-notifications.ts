import { sql } from 'kysely';
import type { Scopes } from '#core/access/scope.ts';

const daysAfterSeen = 90;
/** Long enough to undo a removal, which the screen offers for seconds. */
const hoursAfterRemoved = 24;

/** Deletes old read notifications and removed ones, in all tenants. Unread ones stay. */
export const deleteOldNotifications = (scopes: Scopes): Promise<void> =>
  scopes.withoutTenant(async (db) => {
    await sql`select forget_notifications(${daysAfterSeen}, ${hoursAfterRemoved})`.execute(db);
  });
