import type { Body, Query } from '@radwork/contract/core/endpoint';
import { type StudyStatus, studyStatusLabels } from '@radwork/contract/imaging/study-status';
import type { StudyWork, workflow } from '@radwork/contract/reading/workflow';
import { refuseReinstating, refuseStatus } from '@radwork/contract/reading/workflow-rights';
import { sql } from 'kysely';
import { announce } from '#core/live/announce.ts';
import { auditStudy } from '#core/audit/audit.ts';
import type { Scope } from '#core/access/scope.ts';
import { recordTask } from '#core/jobs/task-history.ts';
import { endAssignmentsWith, reviveAssignments } from '#imaging/studies/open-assignments.ts';
import { studyChanged } from '#imaging/studies/study-changes.ts';
import { notifyOfStatus } from '#imaging/studies/status-notice.ts';
import { type StoredStudy, studyToChange } from '#imaging/studies/study-rows.ts';
import { assertNot, factsOf, workOn } from './work.ts';

/**
 * Changes the status of a study for a user. Checks rights, allowed changes and revision while the study is locked. If
 * two callers do this at the same time, one succeeds, and the other gets a 409 with the current status.
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

/**
 * Throws 409 for an outdated revision, even if the new status may follow the current status too. The caller has seen
 * another status and may not want this change.
 */
const refuseOverlooked = (study: StoredStudy, revision: number | undefined): void => {
  if (revision === undefined || revision === study.revision) return;
  throw studyChanged(studyStatusLabels[study.status]);
};

const setStatus = async (scope: Scope, study: StoredStudy, status: StudyStatus, details: string) => {
  await setStatusQuietly(scope, study, status, details);
  await announce(scope, { kind: 'study', studyId: study.id });
  await notifyOfStatus(scope, study.id, status);
};

/** Sets the status of a locked study, with history. The caller audits, and tells browsers and users. */
export const setStatusQuietly = async (
  scope: Scope,
  { id: studyId }: StoredStudy,
  status: StudyStatus,
  details: string,
): Promise<void> => {
  await scope.db
    .updateTable('studies')
    .set({ status, revision: sql`revision + 1`, updated_at: sql`now()` })
    .where('id', '=', studyId)
    .execute();
  await recordTask(scope, { studyId, type: 'STUDY_STATUS_CHANGE', displayValue: status, details });
  await endAssignmentsWith(scope, studyId, status);
};

/** Reinstates a study that was canceled by mistake. Its new status depends on its report and assignments. */
export const reinstate = async (
  scope: Scope,
  studyId: string,
  { reason }: Body<typeof workflow.reinstate>,
): Promise<StudyWork> => {
  const study = await studyToChange(scope, studyId);
  assertNot(refuseReinstating(factsOf(study, scope.session)));
  const revived = await reviveAssignments(scope, studyId);
  const status = await standingOf(scope, studyId, revived > 0);
  await setStatus(scope, study, status, `Reinstated: ${reason}`);
  await auditStudy(scope, 'study.reinstate', study, { to: status });
  return workOn(scope, studyId);
};

/** Returns the status that the system would have set if the study had not been canceled. */
const standingOf = async ({ db }: Scope, studyId: string, isAssigned: boolean): Promise<StudyStatus> => {
  const report = await db.selectFrom('reports').select('id').where('study_id', '=', studyId).executeTakeFirst();
  if (report) return 'IN_PROGRESS';
  return isAssigned ? 'ASSIGNED' : 'PENDING';
};
