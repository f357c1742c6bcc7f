import { membersOnly, type Permission } from './access.ts';
import { canMove } from './moves.ts';
import { studyMoves, type StudyStatus, studyStatusLabels } from './studies.ts';

/**
 * Who may do what with the work on a study, and when. The server refuses by these functions and sends their answer
 * with the study's work, so that a button and the call behind it cannot disagree.
 */
export type WorkFacts = {
  status: StudyStatus;
  permissions: readonly Permission[];
  /** False for a super administrator who visits from another tenant. */
  isMember: boolean;
};

/** Why not: because of who asks (403), or because of the state things are in (409). */
export type WorkRefusal = { status: 403 | 409; reason: string };

const notYou = (reason: string): WorkRefusal => ({ status: 403, reason });
const notNow = (reason: string): WorkRefusal => ({ status: 409, reason });

const refusePerson = (
  { permissions, isMember }: WorkFacts,
  permission: Permission,
  what: string,
): WorkRefusal | undefined => {
  if (!permissions.includes(permission)) return notYou(`You do not have the right to ${what}`);
  return isMember ? undefined : notYou(membersOnly);
};

/** Why the caller may change the status neither to this nor to anything else; undefined when there is something. */
export const refuseStatusChange = (facts: WorkFacts): WorkRefusal | undefined =>
  refusePerson(facts, 'study.status', 'change the status of studies') ??
  (studyMoves[facts.status].length > 0
    ? undefined
    : notNow(`The study is ${studyStatusLabels[facts.status]}, which is final`));

/** Why the caller may not give the study this status; undefined when they may. */
export const refuseStatus = (facts: WorkFacts, to: StudyStatus): WorkRefusal | undefined =>
  refuseStatusChange(facts) ??
  (canMove(studyMoves, facts.status, to)
    ? undefined
    : notNow(`The study is ${studyStatusLabels[facts.status]} by now and cannot become ${studyStatusLabels[to]}`));

/** The statuses that the caller may give the study now. */
export const movesFor = (facts: WorkFacts): StudyStatus[] =>
  studyMoves[facts.status].filter((to) => !refuseStatus(facts, to));

/** Nobody is given work on a study that is done or given up (C26). */
const takesNobody: readonly StudyStatus[] = ['COMPLETED', 'CANCELLED', 'ARCHIVED'];

/** Why the caller may not change who works on the study or until when; undefined when they may. */
export const refuseAssigner = (facts: WorkFacts): WorkRefusal | undefined =>
  refusePerson(facts, 'study.assign', 'assign studies');

/** Why the caller may not assign anybody to the study; undefined when they may. */
export const refuseAssigning = (facts: WorkFacts): WorkRefusal | undefined =>
  refuseAssigner(facts) ??
  (takesNobody.includes(facts.status)
    ? notNow(`The study is ${studyStatusLabels[facts.status]}: nobody can be assigned to it`)
    : undefined);

/** Why the caller may not complete an assignment; undefined when they may (C28). */
export const refuseCompleting = (facts: WorkFacts, isAssignee: boolean): WorkRefusal | undefined => {
  if (isAssignee) return undefined;
  return refuseAssigner(facts) && notYou('Only the assignee or somebody who may assign can complete this assignment');
};

/** Why the caller may not bring a cancelled study back; undefined when they may (C27). */
export const refuseReinstating = (facts: WorkFacts): WorkRefusal | undefined =>
  refusePerson(facts, 'tenant.manage', 'bring back cancelled studies') ??
  (facts.status === 'CANCELLED'
    ? undefined
    : notNow(`The study is ${studyStatusLabels[facts.status]}: only a cancelled study is brought back`));
