import { t } from '../core/translate.ts';
import { membersOnly, type Permission } from '../core/access.ts';
import { canMove } from '../core/moves.ts';
import { studyMoves, type StudyStatus, studyStatusLabels } from '../imaging/study-status.ts';

/**
 * Permissions for the work on a study. The server enforces these functions and sends their result, so buttons and calls
 * agree.
 */
export type WorkFacts = {
  status: StudyStatus;
  permissions: readonly Permission[];
  /** Whether the caller belongs to this tenant. False for a super administrator who visits it. */
  isMember: boolean;
};

/** Refusal of an action: 403 because of the caller, 409 because of the state. */
export type WorkRefusal = { status: 403 | 409; reason: string };

const notYou = (reason: string): WorkRefusal => ({ status: 403, reason });
const notNow = (reason: string): WorkRefusal => ({ status: 409, reason });

const refusePerson = (
  { permissions, isMember }: WorkFacts,
  permission: Permission,
  missing: string,
): WorkRefusal | undefined => {
  if (!permissions.includes(permission)) return notYou(missing);
  return isMember ? undefined : notYou(membersOnly());
};

/** Returns the reason why the caller may not change the status; undefined if some status is allowed. */
export const refuseStatusChange = (facts: WorkFacts): WorkRefusal | undefined =>
  refusePerson(facts, 'study.status', t`You do not have permission to change the status of studies`) ??
  (studyMoves[facts.status].length > 0
    ? undefined
    : notNow(t`The study is ${studyStatusLabels[facts.status]}. Its status cannot change.`));

/** Returns the reason why the caller may not set this status; undefined if allowed. */
export const refuseStatus = (facts: WorkFacts, to: StudyStatus): WorkRefusal | undefined =>
  refuseStatusChange(facts) ??
  (canMove(studyMoves, facts.status, to)
    ? undefined
    : notNow(t`The study is now ${studyStatusLabels[facts.status]} and cannot become ${studyStatusLabels[to]}`));

/** Returns the statuses that the caller may set at present. */
export const movesFor = (facts: WorkFacts): StudyStatus[] =>
  studyMoves[facts.status].filter((to) => !refuseStatus(facts, to));

/** Statuses in which a study accepts no new assignments. */
const takesNobody: readonly StudyStatus[] = ['COMPLETED', 'CANCELLED', 'ARCHIVED'];

/** Returns the reason why the caller may not change assignments of the study; undefined if allowed. */
export const refuseAssigner = (facts: WorkFacts): WorkRefusal | undefined =>
  refusePerson(facts, 'study.assign', t`You do not have permission to assign studies`);

/** Returns the reason why the caller may not add an assignment; undefined if allowed. */
export const refuseAssigning = (facts: WorkFacts): WorkRefusal | undefined =>
  refuseAssigner(facts) ??
  (takesNobody.includes(facts.status)
    ? notNow(t`The study is ${studyStatusLabels[facts.status]}. No user can be assigned to it.`)
    : undefined);

/** Returns the reason why the caller may not complete an assignment; undefined if allowed. */
export const refuseCompleting = (facts: WorkFacts, isAssignee: boolean): WorkRefusal | undefined => {
  if (isAssignee) return undefined;
  return (
    refuseAssigner(facts) && notYou(t`Only the assignee or a user who can assign studies can complete this assignment`)
  );
};

/** Returns the reason why the caller may not reinstate a canceled study; undefined if allowed. */
export const refuseReinstating = (facts: WorkFacts): WorkRefusal | undefined =>
  refusePerson(facts, 'tenant.manage', t`You do not have permission to reinstate canceled studies`) ??
  (facts.status === 'CANCELLED'
    ? undefined
    : notNow(t`The study is ${studyStatusLabels[facts.status]}. Only canceled studies can be reinstated.`));
