import { sql } from 'kysely';
import type { Scopes } from '#core/scope.ts';

const daysAfterSeen = 90;
/** Long enough for whoever undoes what they removed, which a screen offers for seconds. */
const hoursAfterRemoved = 24;

/** Deletes, of all tenants, what was read long ago and what was removed. What nobody has read stays. */
export const forgetNotifications = (scopes: Scopes): Promise<void> =>
  scopes.withoutTenant(async (db) => {
    await sql`select forget_notifications(${daysAfterSeen}, ${hoursAfterRemoved})`.execute(db);
  });
