import type { Body, Query } from '@radwork/contract/endpoint';
import { type StudyStatus, studyStatusLabels } from '@radwork/contract/studies';
import type { StudyWork, workflow } from '@radwork/contract/workflow';
import { refuseReinstating, refuseStatus } from '@radwork/contract/workflow-rights';
import { sql } from 'kysely';
import { announce } from '#core/announce.ts';
import { auditStudy } from '#core/audit.ts';
import type { Scope } from '#core/scope.ts';
import { noteTask } from '#core/task-history.ts';
import { endAssignmentsWith, reviveAssignments } from '#features/studies/open-assignments.ts';
import { studyChanged } from '#features/studies/study-changes.ts';
import { tellOfStatus } from '#features/studies/status-notice.ts';
import { type StoredStudy, studyToChange } from '#features/studies/study-rows.ts';
import { assertNot, factsOf, workOn } from './work.ts';

/**
 * Gives a study another status, as people may. Whether the caller may, whether the table of moves allows it and
 * whether the study still is what the caller saw is asked with the study locked: of two who act at once one succeeds,
 * and the other is told the status that it has by now (409).
 */
export const changeStatus = async (
  scope: Scope,
  studyId: string,
  { newStatus, comments, revision }: Query<typeof workflow.changeStatus>,
): Promise<StudyWork> => {
  const study = await studyToChange(scope, studyId);
  assertNot(refuseStatus(factsOf(study, scope.session), newStatus));
  refuseOverlooked(study, revision);
  await setStatus(scope, study, newStatus, comments);
  await auditStudy(scope, 'study.status', study, { from: study.status, to: newStatus });
  return workOn(scope, studyId);
};

/** What may be done from both the status that was seen and the one that there is may still not be what was meant. */
const refuseOverlooked = (study: StoredStudy, revision: number | undefined): void => {
  if (revision === undefined || revision === study.revision) return;
  throw studyChanged(studyStatusLabels[study.status]);
};

const setStatus = async (scope: Scope, { id: studyId }: StoredStudy, status: StudyStatus, details: string) => {
  await scope.db
    .updateTable('studies')
    .set({ status, revision: sql`revision + 1`, updated_at: sql`now()` })
    .where('id', '=', studyId)
    .execute();
  await noteTask(scope, { studyId, type: 'STUDY_STATUS_CHANGE', displayValue: status, details });
  await endAssignmentsWith(scope, studyId, status);
  await announce(scope, { kind: 'study', studyId });
  await tellOfStatus(scope, studyId, status);
};

/** Brings back a study that was cancelled by mistake, to where it stands (C27). */
export const reinstate = async (
  scope: Scope,
  studyId: string,
  { reason }: Body<typeof workflow.reinstate>,
): Promise<StudyWork> => {
  const study = await studyToChange(scope, studyId);
  assertNot(refuseReinstating(factsOf(study, scope.session)));
  const revived = await reviveAssignments(scope, studyId);
  const status = await standingOf(scope, studyId, revived > 0);
  await setStatus(scope, study, status, `Brought back: ${reason}`);
  await auditStudy(scope, 'study.reinstate', study, { to: status });
  return workOn(scope, studyId);
};

/** The status to which the system would have moved a study by now (C26). */
const standingOf = async ({ db }: Scope, studyId: string, isAssigned: boolean): Promise<StudyStatus> => {
  const report = await db.selectFrom('reports').select('id').where('study_id', '=', studyId).executeTakeFirst();
  if (report) return 'IN_PROGRESS';
  return isAssigned ? 'ASSIGNED' : 'PENDING';
};
