import { sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';

/**
 * Makes transactions that use the same accession number wait for each other, so that each sees the result of the one
 * before it. Sorts the numbers, so that two transactions cannot deadlock.
 */
export const lockAccessionNumbers = async ({ db, session }: Scope, numbers: readonly string[]): Promise<void> => {
  for (const number of [...new Set(numbers)].toSorted()) {
    const lock = `accession number ${session.tenantId} ${number}`;
    await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(db);
  }
};
