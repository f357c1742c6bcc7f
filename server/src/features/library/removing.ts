import type { Context } from '#core/context.ts';
import type { Scope, Session } from '#core/scope.ts';
import { removeBytes } from '#features/stored-files/keep-files.ts';

/** Removes rows that have files in one transaction, and their bytes when it has committed. */
export const removing = async (
  context: Context,
  session: Session,
  remove: (scope: Scope) => Promise<string[]>,
): Promise<void> => {
  const hashes = await context.scopes.inTenant(session, remove);
  await removeBytes(context, session, hashes);
};
