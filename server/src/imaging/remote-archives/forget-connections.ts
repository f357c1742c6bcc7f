import { sql } from 'kysely';
import { startPeriodicTask } from '#core/jobs/periodic-task.ts';
import type { Scopes } from '#core/access/scope.ts';
import { connectionHours } from './stored-configuration.ts';

/** Deletes the expired typed-in archives of all tenants, with their passwords. */
export const deleteOldConnections = (scopes: Scopes): Promise<void> =>
  scopes.withoutTenant(async (db) => {
    await sql`select forget_connections(${connectionHours})`.execute(db);
  });

/**
 * Deletes expired typed-in archives now and every hour. Returns a function that ends this. Ignores errors, for example
 * while the database cannot be reached.
 */
export const forgetConnectionsHourly = (scopes: Scopes): (() => Promise<void>) =>
  startPeriodicTask({ everyMs: 3_600_000, runOnce: () => deleteOldConnections(scopes), onError: () => {} });
