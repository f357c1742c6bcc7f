import type { Body } from '@radwork/contract/core/endpoint';
import type { studies as endpoints } from '@radwork/contract/imaging/studies';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { announce } from '#core/live/announce.ts';
import { auditStudy } from '#core/audit/audit.ts';
import { forbidden } from '#core/http/problem.ts';
import { hasPermission, type Scope } from '#core/access/scope.ts';
import { detailsOf } from './study-details.ts';
import { studyById, studyToChange } from './study-rows.ts';

/**
 * Sets or releases a legal hold, which prevents deletion, and audits the reason. Needs the rights to delete and to
 * configure; otherwise throws 403. Does nothing when the hold already has the requested state.
 */
export const setLegalHold = async (
  scope: Scope,
  id: string,
  { isOnLegalHold, reason }: Body<typeof endpoints.setLegalHold>,
): Promise<StudyDetails> => {
  if (!hasPermission(scope.session, 'config.manage')) throw forbidden();
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
