import type { Problem } from '#core/http/problem.ts';

/**
 * Runs a statement. Throws the problem when the statement violates one of the named constraints, such as a unique index
 * on names, because another row may be inserted between a check and the statement.
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
