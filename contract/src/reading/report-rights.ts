import { t } from '../core/translate.ts';
import { membersOnly, type Permission, type UserType } from '../core/access.ts';
import { statesBefore } from '../core/moves.ts';
import { type ReportAct, reportActs, type ReportRights } from './reports.ts';
import { reportMoves, reportStatusLabels } from './report-status.ts';
import { beingRead, type ReportStatus } from '../imaging/study-marks.ts';
import type { StudyStatus } from '../imaging/study-status.ts';

/** Another user who is writing the report, and the start in the caller's time zone, as display text. */
export type OtherReader = { name: string; since: string };

export type ReportFacts = {
  status: ReportStatus;
  studyStatus: StudyStatus;
  /** Whether the tenant requires an approval before finalizing. */
  isReviewRequired: boolean;
  permissions: readonly Permission[];
  /** Whether the caller belongs to this tenant. False for a super administrator who visits it. */
  isMember: boolean;
  isAuthor: boolean;
  isReviewer: boolean;
  /** Whether the study is assigned to the caller as reader. */
  isAssigned: boolean;
  /** User other than the caller who has the reading lock (contract/src/reading/reading-locks.ts). */
  readBy: OtherReader | null;
  /** Whether the account has a signing hold (contract/src/identity/signing-holds.ts). */
  isHeld?: boolean;
};

/** Refusal of an action: 403 because of the caller, 409 because of the state. */
export type Refusal = { status: 403 | 409; reason: string };

const notYou = (reason: string): Refusal => ({ status: 403, reason });
const notNow = (reason: string): Refusal => ({ status: 409, reason });

/** Whether a user type can read unsigned reports. Other users see a report once it is finalized. */
export const seesDrafts = (userType: UserType): boolean => userType !== 'REFERRING_PHYSICIAN' && userType !== 'PATIENT';

/**
 * Whether a user type sees preliminary reports where the organization shows them: referring physicians do, patients do
 * not (C78).
 */
export const seesPreliminary = (userType: UserType, areShown: boolean): boolean =>
  seesDrafts(userType) || (areShown && userType === 'REFERRING_PHYSICIAN');

/** States in which the text can change. */
export const editableStates: readonly ReportStatus[] = ['DRAFT', 'REVISION_REQUIRED'];

/** Returns the states from which a report can be finalized, given the review rule of the tenant. */
export const finalizableStates = (isReviewRequired: boolean): ReportStatus[] =>
  statesBefore(reportMoves, 'FINALIZED').filter((from) => from !== 'DRAFT' || !isReviewRequired);

const isOneOf = (states: readonly ReportStatus[], { status }: ReportFacts) => states.includes(status);

const refuseWriter = (facts: ReportFacts): Refusal | undefined => {
  if (!facts.permissions.includes('report.edit')) return notYou(t`You do not have permission to edit reports`);
  if (facts.isAuthor || facts.isAssigned) return undefined;
  return notYou(t`Only the author or an assigned radiologist can edit this report`);
};

const refuseReviewer = (facts: ReportFacts): Refusal | undefined => {
  if (!facts.permissions.includes('report.review')) return notYou(t`You do not have permission to review reports`);
  if (facts.isAuthor) return notYou(t`You cannot review your own report`);
  return facts.isReviewer ? undefined : notYou(t`Only the requested reviewer can submit this review`);
};

const refuseSigner = (facts: ReportFacts): Refusal | undefined => {
  if (!facts.permissions.includes('report.finalize')) return notYou(t`You do not have permission to finalize reports`);
  if (facts.isAuthor || facts.isAssigned || facts.isReviewer) return undefined;
  return notYou(t`Only the author, an assigned radiologist or the reviewer can finalize this report`);
};

/**
 * Allows any signer of this tenant to add to any report. The first signer may be away, and an addendum has its own
 * signature.
 */
const refuseAddending = ({ permissions, isMember }: ReportFacts): Refusal | undefined => {
  if (!permissions.includes('report.finalize')) return notYou(t`You do not have permission to sign addenda`);
  return isMember ? undefined : notYou(membersOnly());
};

const refuseFinalizing = (facts: ReportFacts): Refusal | undefined => {
  if (facts.studyStatus === 'CANCELLED') return notNow(t`The study is canceled`);
  if (isOneOf(finalizableStates(facts.isReviewRequired), facts)) return undefined;
  if (facts.status === 'DRAFT') return notNow(t`The report is a Draft. It must be approved before it is finalized.`);
  const status = reportStatusLabels[facts.status];
  return notNow(t`The report is ${status} and cannot be finalized`);
};

const refuseUnless = (
  states: readonly ReportStatus[],
  facts: ReportFacts,
  reasonFor: (status: string) => string,
): Refusal | undefined => (isOneOf(states, facts) ? undefined : notNow(reasonFor(reportStatusLabels[facts.status])));

const refuseHeld = ({ isHeld }: ReportFacts): Refusal | undefined =>
  isHeld ? notYou(t`Your account must be confirmed before you can sign or approve. See My account.`) : undefined;

/** Refuses while another user is writing, because only one user can write at a time. */
const refuseSecond = ({ readBy }: Pick<ReportFacts, 'readBy'>): Refusal | undefined =>
  readBy ? notNow(beingRead(readBy)) : undefined;

const refuseOutsider = (facts: ReportFacts, permission: Permission): Refusal | undefined => {
  if (!facts.permissions.includes(permission)) return notYou(t`You do not have permission to do this`);
  return facts.isMember ? undefined : notYou(membersOnly());
};

/**
 * Returns the reason why the caller may not perform an action on a report; undefined if allowed. The reason depends on
 * user and state. The server enforces these functions and sends their result with every report, so buttons and calls
 * agree. A stored report always has a text, so empty text is not checked here.
 */
export const refuseReport: Record<ReportAct, (facts: ReportFacts) => Refusal | undefined> = {
  edit: (facts) =>
    refuseWriter(facts) ??
    refuseUnless(editableStates, facts, (status) => t`The report is ${status} and cannot be edited`) ??
    refuseSecond(facts),
  requestReview: (facts) =>
    refuseWriter(facts) ??
    refuseUnless(
      statesBefore(reportMoves, 'PENDING_REVIEW'),
      facts,
      (status) => t`The report is ${status}. A review cannot be requested.`,
    ) ??
    refuseSecond(facts),
  // The right of the writer, because residents issue preliminary reports and do not sign (decision 0088).
  issuePreliminary: (facts) =>
    refuseWriter(facts) ??
    refuseUnless(
      editableStates,
      facts,
      (status) => t`The report is ${status}. A preliminary report cannot be issued.`,
    ) ??
    refuseSecond(facts) ??
    refuseHeld(facts),
  submitReview: (facts) =>
    refuseReviewer(facts) ??
    refuseUnless(['PENDING_REVIEW'], facts, (status) => t`The report is ${status}. No review is pending.`) ??
    refuseHeld(facts),
  // Other users may do this too, because the reviewer may be away for long. Otherwise no user could continue.
  rerouteReview: (facts) =>
    refuseOutsider(facts, 'study.assign') ??
    refuseUnless(['PENDING_REVIEW'], facts, (status) => t`The report is ${status}. No review is pending.`),
  // Ignores the reading lock if the text can no longer change.
  finalize: (facts) =>
    refuseSigner(facts) ??
    refuseFinalizing(facts) ??
    (isOneOf(editableStates, facts) ? refuseSecond(facts) : undefined) ??
    refuseHeld(facts),
  addend: (facts) =>
    refuseAddending(facts) ??
    refuseUnless(
      ['FINALIZED'],
      facts,
      (status) => t`The report is ${status}. Only finalized reports can have addenda.`,
    ),
  share: (facts) =>
    refuseOutsider(facts, 'report.share') ??
    refuseUnless(['FINALIZED'], facts, (status) => t`The report is ${status}. Only finalized reports can be shared.`),
  // Is allowed in every state, because findings must be communicated even after signing.
  addCriticalFinding: (facts) => refuseOutsider(facts, 'critical.manage'),
};

/** Returns the caller's permissions on a report, with a reason for each refused action. */
export const reportRightsOf = (facts: ReportFacts): ReportRights => {
  const reasons = reportActs.flatMap((act) => {
    const refusal = refuseReport[act](facts);
    return refusal ? [{ act, reason: refusal.reason }] : [];
  });
  const can = (act: ReportAct) => reasons.every((refusal) => refusal.act !== act);
  return {
    canEdit: can('edit'),
    canRequestReview: can('requestReview'),
    canSubmitReview: can('submitReview'),
    canRerouteReview: can('rerouteReview'),
    canIssuePreliminary: can('issuePreliminary'),
    canFinalize: can('finalize'),
    canAddend: can('addend'),
    canShare: can('share'),
    canAddCriticalFinding: can('addCriticalFinding'),
    reasons,
  };
};

/** Actions on comments and suggested changes (report-comments.ts). */
export type CommentAct = 'comment' | 'suggest' | 'decide';

const participates = (facts: ReportFacts): boolean => !refuseWriter(facts) || !refuseReviewer(facts);

/**
 * Returns the reason why the caller may not act on comments; undefined if allowed. Author, assigned radiologist and
 * reviewer comment until the report is finalized. The reviewer suggests changes while the text waits for review. Only a
 * user who may edit the text accepts and rejects them.
 */
export const refuseComment: Record<CommentAct, (facts: ReportFacts) => Refusal | undefined> = {
  comment: (facts) => {
    if (!participates(facts)) return notYou(t`Only the author, an assigned radiologist or the reviewer can comment`);
    const isFinal = facts.status === 'FINALIZED';
    return isFinal ? notNow(t`The report is finalized. Its comments can no longer change.`) : undefined;
  },
  suggest: (facts) =>
    refuseReviewer(facts) ??
    refuseUnless(['PENDING_REVIEW'], facts, (status) => t`The report is ${status}. No review is pending.`),
  decide: refuseReport.edit,
};

export type NewReportFacts = {
  studyStatus: StudyStatus;
  permissions: readonly Permission[];
  isMember: boolean;
  isAssigned: boolean;
  /** Whether the study is assigned to any reader. */
  hasAssignedReader: boolean;
  /** Whether the newest report of the study is not finalized. */
  hasOpenReport: boolean;
  /** Another user who is beginning a report. */
  readBy: OtherReader | null;
};

/**
 * Returns the reason why the caller may not begin a report of a study; undefined if allowed. The caller would become
 * its author.
 */
export const refuseNewReport = (facts: NewReportFacts): Refusal | undefined => {
  if (!facts.permissions.includes('report.create')) return notYou(t`You do not have permission to create reports`);
  if (!facts.isMember) return notYou(membersOnly());
  if (facts.hasAssignedReader && !facts.isAssigned) return notYou(t`This study is assigned to another radiologist`);
  if (facts.studyStatus === 'CANCELLED') return notNow(t`The study is canceled`);
  if (facts.studyStatus === 'ARCHIVED') return notNow(t`The study is archived`);
  return facts.hasOpenReport ? notNow(t`This study already has an open report`) : refuseSecond(facts);
};
