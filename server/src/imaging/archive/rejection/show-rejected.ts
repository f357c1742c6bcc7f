import { sql } from 'kysely';
import type { ReadingScope } from '#core/access/scope.ts';
import { statement } from '#core/database/statement.ts';

type Rows = Pick<ReadingScope, 'db'>;

/**
 * Queries find no rejected instance or series: policies of the database leave these out (0111_rejections.sql). Only the
 * functions below show them, and only to work that keeps the store, decides about arriving files, or rejects and restores.
 */
const setShown = statement((_, { value }: { value: string }) => sql`select set_config('app.rejected', ${value}, true)`);

/** SQL: shows rejected rows, or hides them again, when a statement that does something else is run. */
export const showRejectedSql = sql`set_config('app.rejected', 'shown', true)`;
export const hideRejectedSql = sql`set_config('app.rejected', '', true)`;

/** Shows rejected rows to the later queries of the transaction. */
export const showRejected = async ({ db }: Rows): Promise<void> => {
  await setShown(db, { value: 'shown' });
};

/** Hides rejected rows again. */
export const hideRejected = async ({ db }: Rows): Promise<void> => {
  await setShown(db, { value: '' });
};

/**
 * Runs work that sees rejected rows. No other work of the transaction may run at the same time. After an error, the
 * transaction is over, and the setting with it.
 */
export const withRejected = async <Result>(scope: Rows, work: () => Promise<Result>): Promise<Result> => {
  await showRejected(scope);
  const result = await work();
  await hideRejected(scope);
  return result;
};
