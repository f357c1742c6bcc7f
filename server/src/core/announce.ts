import type { LiveEvent } from '@radwork/contract/live';
import { sql } from 'kysely';
import type { Scope } from './scope.ts';

/** An event on its way to the servers, over the database's channel "live". `to` names the users it is for; nobody named: all of the tenant. */
export type Announcement = { tenantId: number; event: LiveEvent; to?: readonly string[] };

/**
 * Tells the browsers of the tenant, or of some of its users, that something has changed: when the transaction commits,
 * and not if it does not (contract/src/live.ts).
 */
export const announce = async ({ db, session }: Scope, event: LiveEvent, to?: readonly string[]): Promise<void> => {
  const announcement: Announcement = { tenantId: session.tenantId, event, ...(to && { to }) };
  await sql`select pg_notify('live', ${JSON.stringify(announcement)})`.execute(db);
};
