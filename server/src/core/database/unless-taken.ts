import type { Problem } from '#core/http/problem.ts';

/**
 * Runs a statement. Throws the problem when the statement violates one of the named constraints, such as a unique index
 * on names. A check before the statement is not enough: another user may insert the name in between.
 */
export const unlessTaken = async <T>(
  constraint: string | readonly string[],
  problem: () => Problem,
  statement: { execute: () => Promise<T> },
): Promise<T> => {
  try {
    return await statement.execute();
  } catch (error) {
    const violated = error instanceof Error && 'constraint' in error ? error.constraint : undefined;
    throw [constraint].flat().some((name) => name === violated) ? problem() : error;
  }
};
