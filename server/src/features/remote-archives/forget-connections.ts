import { sql } from 'kysely';
import { startRounds } from '#core/rounds.ts';
import type { Scopes } from '#core/scope.ts';
import { connectionHours } from './stored-configuration.ts';

/** Deletes the typed archives that are not remembered any longer, of all tenants, and their passwords with them. */
export const forgetConnections = (scopes: Scopes): Promise<void> =>
  scopes.withoutTenant(async (db) => {
    await sql`select forget_connections(${connectionHours})`.execute(db);
  });

/** Does that now and every hour. Returns how to stop. While the database is away there is nothing to forget. */
export const forgetConnectionsHourly = (scopes: Scopes): (() => Promise<void>) =>
  startRounds({ everyMs: 3_600_000, round: () => forgetConnections(scopes), onError: () => {} });
