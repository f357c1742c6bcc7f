import { sql } from 'kysely';
import type { Scopes } from '#core/access/scope.ts';

const daysAfterSeen = 90;
/** Hours until removed notifications are deleted. Users can undo a removal only for some seconds. */
const hoursAfterRemoved = 24;

/** Deletes old notifications that were read, and removed ones, in all tenants. Unread notifications stay. */
export const deleteOldNotifications = (scopes: Scopes): Promise<void> =>
  scopes.withoutTenant(async (db) => {
    await sql`select forget_notifications(${daysAfterSeen}, ${hoursAfterRemoved})`.execute(db);
  });
