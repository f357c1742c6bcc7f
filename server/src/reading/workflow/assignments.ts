import { pluralSentence, sentence, t, type Sentence } from '@radwork/contract/core/translate';
import type { Body } from '@radwork/contract/core/endpoint';
import type { StudyWork, workflow } from '@radwork/contract/reading/workflow';
import {
  refuseAssigner,
  refuseCompleting,
  type WorkFacts,
  type WorkRefusal,
} from '@radwork/contract/reading/workflow-rights';
import { sql } from 'kysely';
import { announce } from '#core/live/announce.ts';
import { auditStudy } from '#core/audit/audit.ts';
import { conflict } from '#core/http/problem.ts';
import { aboutStudy, notify } from '#core/notifications/notify.ts';
import type { Scope } from '#core/access/scope.ts';
import { userIsWithinGroups } from '#core/access/study-access.ts';
import { anyOf } from '#core/values/any-of.ts';
import { recordTask } from '#core/jobs/task-history.ts';
import { type StoredStudy, studyToChange } from '#imaging/studies/study-rows.ts';
import { moveQuietlyAfter } from '#imaging/studies/system-moves.ts';
import { endAccess } from './assignee-access.ts';
import { activeAssignment, endedAssignment, type StoredAssignment } from './assignment-rows.ts';
import { assertLater, dueWords } from './due-dates.ts';
import { assertNot, factsOf, workOn } from './work.ts';

/**
 * The study and the assignment of a change. The study is locked first. If two callers change an assignment at the same
 * time, one succeeds, and the other gets a 409 with the new state.
 */
export type Work = { study: StoredStudy; assignment: StoredAssignment };

const workToChange = async (
  scope: Scope,
  { studyId, userId }: { studyId: string; userId: string },
  refuse: (facts: WorkFacts) => WorkRefusal | undefined,
): Promise<Work> => {
  const study = await studyToChange(scope, studyId);
  assertNot(refuse(factsOf(study, scope.session)));
  return { study, assignment: await activeAssignment(scope, studyId, userId) };
};

/**
 * Removes an assignment and the access that it gave. Users keep the access if they have completed an assignment of the
 * study since they got it, because they know the study.
 */
export const removeAssignment = async (scope: Scope, studyId: string, userId: string): Promise<StudyWork> => {
  const work = await workToChange(scope, { studyId, userId }, refuseAssigner);
  await removeQuietly(scope, work);
  await announce(scope, { kind: 'study', studyId });
  await notifyRemoved(scope, userId, [studyId]);
  return workOn(scope, studyId);
};

/** Removes an assignment of a locked study, with history and audit. The caller tells browsers and the user. */
export const removeQuietly = async (scope: Scope, work: Work): Promise<void> => {
  const studyId = work.study.id;
  const userId = work.assignment.user_id;
  await endAssignment(scope, work, { status: 'CANCELLED' });
  if ((await endAccess(scope, userId, [studyId])) > 0) await announceLoss(scope, userId);
  await recordQuietly(scope, work, {
    action: 'study.unassign',
    displayValue: 'CANCELLED',
    details: `Assignment of ${personIn(work)} removed`,
  });
  if (work.study.active_assignments === 1) await moveQuietlyAfter(scope, 'lastAssignmentRemoved', studyId);
};

/**
 * Tells a user about assignments that were removed, with one notification for all. It does not count studies that the
 * groups of the user hide.
 */
export const notifyRemoved = async (scope: Scope, userId: string, removedIds: readonly string[]): Promise<void> => {
  const seen = await scope.db
    .selectFrom('studies as s')
    .innerJoin('users as u', (join) => join.on('u.id', '=', userId))
    .select('s.id')
    .where('s.id', '=', anyOf(removedIds))
    .where(userIsWithinGroups(sql.ref('s.id')))
    .execute();
  const studyIds = seen.map(({ id }) => id);
  const [studyId, ...others] = studyIds;
  if (studyId === undefined) return;
  const about =
    others.length === 0
      ? { title: sentence`You are no longer assigned to a study`, ...(await aboutStudy(scope, studyId)) }
      : {
          title: pluralSentence(studyIds.length, {
            one: 'You are no longer assigned to # study',
            other: 'You are no longer assigned to # studies',
          }),
          message: sentence`Open the list of your studies`,
          link: '/studies?view=MINE',
        };
  await notify(scope, { to: [userId], type: 'ASSIGNMENT', ...about });
};

/**
 * Removes the access that a user kept after an assignment ended. For example, a study was assigned by mistake and then
 * completed or canceled. Throws 409 when there is no access to remove.
 */
export const takeAccess = async (scope: Scope, studyId: string, userId: string): Promise<StudyWork> => {
  const study = await studyToChange(scope, studyId);
  assertNot(refuseAssigner(factsOf(study, scope.session)));
  const work: Work = { study, assignment: await endedAssignment(scope, studyId, userId) };
  const removed = await scope.db
    .deleteFrom('study_participants')
    .where('study_id', '=', studyId)
    .where('user_id', '=', userId)
    .where('role', '=', 'ASSIGNEE')
    .returning('user_id')
    .executeTakeFirst();
  if (!removed) {
    throw conflict('assignment.no_access', t`Access to the study was already revoked from ${work.assignment.username}`);
  }
  await announceLoss(scope, userId);
  await record(scope, work, {
    action: 'study.takeAccess',
    displayValue: 'CANCELLED',
    details: `Access revoked from ${personIn(work)} after the assignment ended`,
    notified: { to: [userId], title: sentence`You are no longer assigned to a study` },
  });
  return workOn(scope, studyId);
};

/**
 * Users without access get no event about the study (core/live/event-access.ts). So the server tells their browsers to
 * reload everything.
 */
const announceLoss = (scope: Scope, userId: string) => announce(scope, { kind: 'everything' }, [userId]);

/** Completes an assignment. The assignee may do this, and users who may assign. The assignee keeps access. */
export const complete = async (
  scope: Scope,
  { studyId, userId }: { studyId: string; userId: string },
  { notes }: Body<typeof workflow.complete>,
): Promise<StudyWork> => {
  const work = await workToChange(scope, { studyId, userId }, (facts) =>
    refuseCompleting(facts, userId === scope.session.userId),
  );
  const { assignment } = work;
  // Keeps the notes of the assigner and adds those of the assignee.
  await endAssignment(scope, work, {
    status: 'COMPLETED',
    notes: [assignment.notes, notes].filter(Boolean).join('\n'),
  });
  await record(scope, work, {
    action: 'study.completeAssignment',
    displayValue: 'COMPLETED',
    details: `Assignment of ${personIn(work)} completed${notes && `: ${notes}`}`,
    notified: { to: [assignment.assigned_by ?? [], userId].flat(), title: sentence`An assignment was completed` },
  });
  return workOn(scope, studyId);
};

const endAssignment = async (
  { db }: Scope,
  { assignment }: Work,
  end: { status: 'CANCELLED' | 'COMPLETED'; notes?: string },
) => {
  await db
    .updateTable('study_assignments')
    .set({ ...end, ended_at: sql`now()` })
    .where('id', '=', assignment.id)
    .execute();
};

/** Extends the due date. */
export const extend = async (
  scope: Scope,
  { studyId, userId }: { studyId: string; userId: string },
  { dueDate }: Body<typeof workflow.extend>,
): Promise<StudyWork> => {
  const work = await workToChange(scope, { studyId, userId }, refuseAssigner);
  const before = work.assignment.due_at;
  assertLater(dueDate, before);
  await scope.db
    .updateTable('study_assignments')
    .set({ due_at: dueDate })
    .where('id', '=', work.assignment.id)
    .execute();
  const { session } = scope;
  const [person, due] = [personIn(work), dueWords(dueDate, session)];
  const dueBefore = before && dueWords(before, session);
  await record(scope, work, {
    action: 'study.extendAssignment',
    displayValue: 'ACTIVE',
    details: dueBefore
      ? `Due date of ${person} moved from ${dueBefore} to ${due}`
      : `Due date of ${person} moved to ${due}`,
    notified: { to: [userId], title: sentence`The due date of a study was extended` },
  });
  return workOn(scope, studyId);
};

const personIn = ({ assignment }: Work) => `${assignment.name} (${assignment.username})`;

type Event = {
  action: string;
  /** State of the assignment after the event. */
  displayValue: StoredAssignment['status'];
  details: string;
};

/** Records one event in the history and the audit log. */
const recordQuietly = async (scope: Scope, { study, assignment }: Work, { action, displayValue, details }: Event) => {
  await recordTask(scope, { studyId: study.id, type: 'STUDY_ASSIGNMENT', displayValue, details });
  await auditStudy(scope, action, study, { assignee: assignment.user_id });
};

/** Records one event in the history and the audit log, and updates screens and notifications. */
const record = async (
  scope: Scope,
  work: Work,
  { notified, ...event }: Event & { notified: { to: string[]; title: Sentence } },
) => {
  const studyId = work.study.id;
  await recordQuietly(scope, work, event);
  await announce(scope, { kind: 'study', studyId });
  await notify(scope, { type: 'ASSIGNMENT', ...notified, ...(await aboutStudy(scope, studyId)) });
};
