import { t } from '@radwork/contract/core/translate';
import type { StreamCall } from '#core/http/http.ts';
import { Problem } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { pathUid } from '#core/http/path-parameters.ts';
import type { Wado } from './wado-context.ts';

/**
 * Moves a study, given by its id, to the recycle bin. Throws 409 with the reason when the study must not be deleted.
 */
export type RemoveStudy = (scope: Scope, id: string) => Promise<void>;

/**
 * Moves a study, given by its UID, to the recycle bin, as the screens do. PS3.18 has no such transaction; other
 * archives use this URL. Throws 404 for a study that the caller may not see.
 */
export const answerDelete = async (
  { objects, scopes }: Wado,
  removeStudy: RemoveStudy,
  { request, reply, session }: StreamCall,
) => {
  const { id } = await objects.study(session, pathUid(request, 'studyUid'));
  await scopes.inTenant(session, (scope) => removeStudy(scope, id));
  return reply.status(204).send();
};

/** Refuses to delete parts of a study, because a report may depend on them. */
export const refuseDelete = async ({ reply }: StreamCall): Promise<never> => {
  void reply.header('allow', 'GET, HEAD');
  throw new Problem(
    405,
    'study.delete_whole',
    t`Series and instances cannot be deleted individually. Delete the study.`,
  );
};
