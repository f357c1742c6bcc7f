import type { Body } from '@radwork/contract/endpoint';
import type { studies as endpoints, StudyDetails } from '@radwork/contract/studies';
import { announce } from '#core/announce.ts';
import { auditStudy } from '#core/audit.ts';
import { forbidden } from '#core/problem.ts';
import { holds, type Scope } from '#core/scope.ts';
import { detailsOf } from './study-details.ts';
import { studyById, studyToChange } from './study-rows.ts';

/**
 * Keeps a study from being deleted, or lets it go again, and writes down why. It takes the right to delete and that to
 * configure; throws a 403 for one without the other. What is so already stays so.
 */
export const setLegalHold = async (
  scope: Scope,
  id: string,
  { isOnLegalHold, reason }: Body<typeof endpoints.setLegalHold>,
): Promise<StudyDetails> => {
  if (!holds(scope.session, 'config.manage')) throw forbidden();
  const study = await studyToChange(scope, id);
  if (study.is_on_legal_hold !== isOnLegalHold) {
    await scope.db
      .updateTable('studies')
      .set({ is_on_legal_hold: isOnLegalHold, revision: study.revision + 1 })
      .where('id', '=', id)
      .execute();
    await auditStudy(scope, isOnLegalHold ? 'study.hold' : 'study.release', study, { reason });
    await announce(scope, { kind: 'study', studyId: id });
  }
  return detailsOf(scope, await studyById(scope, id));
};
