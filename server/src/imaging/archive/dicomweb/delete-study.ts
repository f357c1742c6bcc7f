import { t } from '@radwork/contract/core/translate';
import type { StreamCall } from '#core/http/http.ts';
import { Problem } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { pathUid } from '#core/http/path-parameters.ts';
import type { Wado } from './wado-context.ts';

/** Moves a study, by id, to the recycle bin. Throws 409 with the reason when it must stay. */
export type RemoveStudy = (scope: Scope, id: string) => Promise<void>;

/**
 * Deletes a study by its UID, as the screens do: into the recycle bin. PS3.18 has no such transaction; other archives
 * use this form. A study hidden from the caller is not found.
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

/** Refuses to delete parts of a study: a report may depend on them. */
export const refuseDelete = async ({ reply }: StreamCall): Promise<never> => {
  void reply.header('allow', 'GET, HEAD');
  throw new Problem(
    405,
    'study.delete_whole',
    t`Series and instances cannot be deleted individually. Delete the study.`,
  );
};
