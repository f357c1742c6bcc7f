import { membersOnly, type Permission, type UserType } from './access.ts';
import { statesBefore } from './moves.ts';
import {
  type ReportAct,
  reportActs,
  reportMoves,
  type ReportRights,
  type ReportStatus,
  reportStatusLabels,
} from './reports.ts';
import type { StudyStatus } from './studies.ts';

/**
 * Who may do what with a report, and when (C36). The server refuses by these functions and sends their answer with
 * every report, so that a button and the call behind it cannot disagree. A stored report always has a text: whether
 * it is empty is therefore no question here.
 */
/** Somebody else who writes the report now, and since when in the caller's time: a text, as they are told. */
export type OtherReader = { name: string; since: string };

export type ReportFacts = {
  status: ReportStatus;
  studyStatus: StudyStatus;
  /** Whether the tenant lets nothing be finalized that nobody has approved. */
  isReviewRequired: boolean;
  permissions: readonly Permission[];
  /** False for a super administrator who visits from another tenant. */
  isMember: boolean;
  isAuthor: boolean;
  isReviewer: boolean;
  /** Whether the caller is one of the radiologists to whom the study is assigned. */
  isAssigned: boolean;
  /** Who holds the lock on the text, if that is not the caller (contract/src/reading-locks.ts). */
  readBy: OtherReader | null;
  /** Whether an unconfirmed change by another person holds the caller's account (contract/src/signing-holds.ts). */
  isHeld?: boolean;
};

/** Why not: because of who asks (403), or because of the state things are in (409). */
export type Refusal = { status: 403 | 409; reason: string };

const notYou = (reason: string): Refusal => ({ status: 403, reason });
const notNow = (reason: string): Refusal => ({ status: 409, reason });

/** Whether somebody may read reports before they are signed; the others learn of a report when it is final (C78). */
export const seesDrafts = (userType: UserType): boolean => userType !== 'REFERRING_PHYSICIAN' && userType !== 'PATIENT';

/** The states in which the text may be changed. */
export const editableStates: readonly ReportStatus[] = ['DRAFT', 'REVISION_REQUIRED'];

/** The states from which a report may be finalized under the tenant's rule about reviews. */
export const finalizableStates = (isReviewRequired: boolean): ReportStatus[] =>
  statesBefore(reportMoves, 'FINALIZED').filter((from) => from !== 'DRAFT' || !isReviewRequired);

const isOneOf = (states: readonly ReportStatus[], { status }: ReportFacts) => states.includes(status);

const refuseWriter = (facts: ReportFacts): Refusal | undefined => {
  if (!facts.permissions.includes('report.edit')) return notYou('You do not have the right to edit reports');
  if (facts.isAuthor || facts.isAssigned) return undefined;
  return notYou('Only its author or an assigned radiologist may change this report');
};

const refuseReviewer = (facts: ReportFacts): Refusal | undefined => {
  if (!facts.permissions.includes('report.review')) return notYou('You do not have the right to review reports');
  if (facts.isAuthor) return notYou('Nobody reviews their own report');
  return facts.isReviewer ? undefined : notYou('Only the reviewer who was asked may submit this review');
};

const refuseSigner = (facts: ReportFacts): Refusal | undefined => {
  if (!facts.permissions.includes('report.finalize')) return notYou('You do not have the right to finalize reports');
  if (facts.isAuthor || facts.isAssigned || facts.isReviewer) return undefined;
  return notYou('Only its author, an assigned radiologist or its reviewer may finalize this report');
};

/** Whoever signs reports here may add to any: who signed this one may be away, and what is added has a signature of its own. */
const refuseAddending = ({ permissions, isMember }: ReportFacts): Refusal | undefined => {
  if (!permissions.includes('report.finalize')) return notYou('You do not have the right to sign addenda');
  return isMember ? undefined : notYou(membersOnly);
};

const refuseFinalizing = (facts: ReportFacts): Refusal | undefined => {
  if (facts.studyStatus === 'CANCELLED') return notNow('The study is cancelled');
  if (isOneOf(finalizableStates(facts.isReviewRequired), facts)) return undefined;
  if (facts.status === 'DRAFT') return notNow('The report is a Draft: it must be approved before it is finalized');
  return notNow(`The report is ${reportStatusLabels[facts.status]} and cannot be finalized`);
};

const refuseUnless = (states: readonly ReportStatus[], facts: ReportFacts, what: string): Refusal | undefined =>
  isOneOf(states, facts) ? undefined : notNow(`The report is ${reportStatusLabels[facts.status]}: ${what}`);

const refuseHeld = ({ isHeld }: ReportFacts): Refusal | undefined =>
  isHeld
    ? notYou('Your account has to be confirmed before you sign or approve. Your account page shows how.')
    : undefined;

/** One person writes at a time. */
const refuseSecond = ({ readBy }: Pick<ReportFacts, 'readBy'>): Refusal | undefined =>
  readBy ? notNow(beingRead(readBy)) : undefined;

/** What the others are told while somebody writes. */
export const beingRead = ({ name, since }: OtherReader): string => `Being read by ${name} since ${since}`;

const refuseOutsider = (facts: ReportFacts, permission: Permission): Refusal | undefined => {
  if (!facts.permissions.includes(permission)) return notYou('You do not have the right to do this');
  return facts.isMember ? undefined : notYou(membersOnly);
};

/** Why the caller may not do something with a report; undefined when they may. */
export const refuseReport: Record<ReportAct, (facts: ReportFacts) => Refusal | undefined> = {
  edit: (facts) =>
    refuseWriter(facts) ?? refuseUnless(editableStates, facts, 'its text cannot be changed') ?? refuseSecond(facts),
  requestReview: (facts) =>
    refuseWriter(facts) ??
    refuseUnless(statesBefore(reportMoves, 'PENDING_REVIEW'), facts, 'no review can be requested') ??
    refuseSecond(facts),
  submitReview: (facts) =>
    refuseReviewer(facts) ??
    refuseUnless(['PENDING_REVIEW'], facts, 'there is no review to submit') ??
    refuseHeld(facts),
  // Who was asked may be away for weeks, or gone for good, and nobody else could do anything with the report.
  rerouteReview: (facts) =>
    refuseOutsider(facts, 'study.assign') ??
    refuseUnless(['PENDING_REVIEW'], facts, 'there is no review to ask another colleague for'),
  // A text that nobody can change any more is signed whoever has it open.
  finalize: (facts) =>
    refuseSigner(facts) ??
    refuseFinalizing(facts) ??
    (isOneOf(editableStates, facts) ? refuseSecond(facts) : undefined) ??
    refuseHeld(facts),
  addend: (facts) =>
    refuseAddending(facts) ?? refuseUnless(['FINALIZED'], facts, 'only a finalized report gets an addendum'),
  share: (facts) =>
    refuseOutsider(facts, 'report.share') ??
    refuseUnless(['FINALIZED'], facts, 'only a finalized report can be shared'),
  // Allowed in every state: what was found must be told even after the report is signed (C46).
  addCriticalFinding: (facts) => refuseOutsider(facts, 'critical.manage'),
};

/** What the caller may do with a report, with the reason for everything they may not. */
export const reportRightsOf = (facts: ReportFacts): ReportRights => {
  const reasons = reportActs.flatMap((act) => {
    const refusal = refuseReport[act](facts);
    return refusal ? [{ act, reason: refusal.reason }] : [];
  });
  const can = (act: ReportAct) => reasons.every((refused) => refused.act !== act);
  return {
    canEdit: can('edit'),
    canRequestReview: can('requestReview'),
    canSubmitReview: can('submitReview'),
    canRerouteReview: can('rerouteReview'),
    canFinalize: can('finalize'),
    canAddend: can('addend'),
    canShare: can('share'),
    canAddCriticalFinding: can('addCriticalFinding'),
    reasons,
  };
};

export type NewReportFacts = {
  studyStatus: StudyStatus;
  permissions: readonly Permission[];
  isMember: boolean;
  isAssigned: boolean;
  /** Whether the study is assigned to any radiologist at all. */
  hasAssignedReader: boolean;
  /** Whether the study's newest report is not yet finalized. */
  hasOpenReport: boolean;
  /** Who begins one now, if that is not the caller. */
  readBy: OtherReader | null;
};

/** Why the caller may not begin a report of a study; undefined when they may. Whoever begins it is its author. */
export const refuseNewReport = (facts: NewReportFacts): Refusal | undefined => {
  if (!facts.permissions.includes('report.create')) return notYou('You do not have the right to write reports');
  if (!facts.isMember) return notYou(membersOnly);
  if (facts.hasAssignedReader && !facts.isAssigned) return notYou('This study is assigned to another radiologist');
  if (facts.studyStatus === 'CANCELLED') return notNow('The study is cancelled');
  if (facts.studyStatus === 'ARCHIVED') return notNow('The study is archived');
  return facts.hasOpenReport ? notNow('This study already has an open report') : refuseSecond(facts);
};
