import { sentence, type Sentence } from '@radwork/contract/core/translate';
import type { AddendumKind } from '@radwork/contract/reading/report-parts';
import { aboutStudy, notify } from '#core/notifications/notify.ts';
import type { Scope } from '#core/access/scope.ts';
import { reachOut } from '#reading/outreach/queue-messages.ts';
import type { StoredReport } from './stored-report.ts';

/** Notifications about reports. They contain no text of a report. */

/** Notifies the referring and the ordering physician, outside the application, that a report was signed. */
export const reachOutReportReady = async (scope: Scope, { id, study_id }: StoredReport): Promise<void> => {
  const treating = await scope.db
    .selectFrom('study_participants')
    .select('user_id')
    .distinct()
    .where('study_id', '=', study_id)
    .where('role', 'in', ['REFERRER', 'ORDERER'])
    .execute();
  const to = treating.map(({ user_id }) => user_id);
  await reachOut(scope, { topic: 'REPORT_READY', to, link: `/reports?reportId=${id}`, studyId: study_id });
};

/** Notifies a reviewer that a report waits for review. */
export const notifyReviewer = async (scope: Scope, { study_id }: StoredReport, reviewerId: string): Promise<void> => {
  const title = sentence`A report needs your review`;
  await notify(scope, { to: [reviewerId], type: 'REVIEW_REQUEST', title, ...(await aboutStudy(scope, study_id)) });
};

/** Notifies the previous reviewer that the report does not wait for review any longer. */
export const notifyFormerReviewer = async (scope: Scope, { study_id, reviewer_id }: StoredReport): Promise<void> => {
  await notify(scope, {
    to: [reviewer_id ?? []].flat(),
    type: 'REVIEW_REQUEST',
    title: sentence`A report no longer needs your review. A colleague reviews it instead.`,
    ...(await aboutStudy(scope, study_id)),
  });
};

/** Notifies the author of the outcome of the review. */
export const notifyAuthorOfReview = async (scope: Scope, report: StoredReport, isApproved: boolean): Promise<void> => {
  const title = isApproved ? sentence`Your report was approved` : sentence`Your report needs revision`;
  const about = await aboutStudy(scope, report.study_id);
  await notify(scope, { to: [report.author_id], type: 'REVIEW_RESULT', title, ...about });
};

/**
 * Notifies author and reviewer of new comments on a report. Further comments add no notification until the recipient
 * has read the first one.
 */
export const notifyOfComment = async (scope: Scope, report: StoredReport): Promise<void> => {
  const about = { ...(await aboutStudy(scope, report.study_id)), isOnceUntilRead: true };
  const title = sentence`Your report has new comments`;
  await notify(scope, { to: [report.author_id], type: 'REVIEW_RESULT', title, ...about });
  await notify(scope, {
    to: [report.reviewer_id ?? []].flat(),
    type: 'REVIEW_REQUEST',
    title: sentence`A report that you review has new comments`,
    ...about,
  });
};

/** Notifies the author that a colleague signed the report with a changed text. */
export const notifyAuthorOfChanges = async (scope: Scope, report: StoredReport): Promise<void> => {
  const title = sentence`Your report was changed and signed by a colleague`;
  const about = await aboutStudy(scope, report.study_id);
  await notify(scope, { to: [report.author_id], type: 'REVIEW_RESULT', title, ...about });
};

/** Notifies author and reviewer that the study of a report was filed under another patient. */
export const notifyOfRefiling = async (
  scope: Scope,
  report: Pick<StoredReport, 'study_id' | 'author_id' | 'reviewer_id'>,
): Promise<void> => {
  await notify(scope, {
    to: [report.author_id, report.reviewer_id ?? []].flat(),
    type: 'STUDY_STATUS',
    title: sentence`A study with an unsigned report was moved to another patient`,
    ...(await aboutStudy(scope, report.study_id)),
  });
};

const amended: Record<AddendumKind, Sentence> = {
  ADDENDUM: sentence`An addendum was signed for a report of one of your studies`,
  CORRECTION: sentence`A signed report of one of your studies was corrected`,
};

/** Notifies users of an addendum or correction who may have acted on the signed report. */
export const notifyOfAddendum = async (scope: Scope, report: StoredReport, kind: AddendumKind): Promise<void> => {
  const concerned = await participantsOf(scope, report.study_id);
  const signers = [report.author_id, report.finalized_by?.id ?? []].flat();
  await notify(scope, {
    to: [...concerned, ...signers, ...(await recipientsOfFindings(scope, report.id))],
    type: 'STUDY_STATUS',
    title: amended[kind],
    ...(await aboutStudy(scope, report.study_id)),
    isForAll: true,
  });
};

/**
 * Returns users who were reached about a critical finding of a report. They may act without reading the report, so they
 * must be notified of its addenda.
 */
const recipientsOfFindings = async ({ db }: Scope, reportId: string): Promise<string[]> => {
  const communications = await db
    .selectFrom('critical_communications as c')
    .innerJoin('critical_findings as f', 'f.id', 'c.finding_id')
    .select('c.recipient_id')
    .where('f.report_id', '=', reportId)
    .where('c.was_reached', '=', true)
    .execute();
  return communications.flatMap(({ recipient_id }) => recipient_id ?? []);
};

/** Returns the users who treat the patient or read the study. */
export const participantsOf = async ({ db }: Scope, studyId: string): Promise<string[]> => {
  const participants = await db
    .selectFrom('study_participants')
    .select('user_id')
    .where('study_id', '=', studyId)
    .where('role', 'in', ['REFERRER', 'ORDERER', 'ASSIGNEE'])
    .execute();
  return participants.map(({ user_id }) => user_id);
};
