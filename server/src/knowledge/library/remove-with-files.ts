import type { Context } from '#core/context.ts';
import type { Scope, Session } from '#core/access/scope.ts';
import { removeBytes } from '#imaging/stored-files/store-upload.ts';

/** Deletes rows that own files, in one transaction. Deletes their files after the commit. */
export const removing = async (
  context: Context,
  session: Session,
  remove: (scope: Scope) => Promise<string[]>,
): Promise<void> => {
  const hashes = await context.scopes.inTenant(session, remove);
  await removeBytes(context, session, hashes);
};
