import { sql } from 'kysely';
import type { Scopes } from '#core/scope.ts';
import { connectionHours } from './stored-configuration.ts';

/** Deletes the typed archives that are not remembered any longer, of all tenants, and their passwords with them. */
export const forgetConnections = (scopes: Scopes): Promise<void> =>
  scopes.withoutTenant(async (db) => {
    await sql`select forget_connections(${connectionHours})`.execute(db);
  });

/** Does that every hour until it is told to stop. While the database is away there is nothing to forget. */
export const forgetConnectionsHourly = (scopes: Scopes): (() => Promise<void>) => {
  const timer = setInterval(() => void forgetConnections(scopes).catch(() => {}), 3_600_000);
  timer.unref();
  return async () => clearInterval(timer);
};
