import { t } from '@radwork/contract/core/translate';
import type { Body } from '@radwork/contract/core/endpoint';
import { editableStates, refuseNewReport } from '@radwork/contract/reading/report-rights';
import { statesBefore } from '@radwork/contract/core/moves';
import type { reports as endpoints } from '@radwork/contract/reading/reports';
import { reportMoves } from '@radwork/contract/reading/report-status';
import { sql } from 'kysely';
import { announce } from '#core/live/announce.ts';
import { newId } from '#core/values/ids.ts';
import { invalid, Problem } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { recordTask } from '#core/jobs/task-history.ts';
import { deleteSavedAutosaves } from '#reading/report-autosaves/stored-autosaves.ts';
import { admitPassages, refuseOpenPassages } from '#reading/drafting/passages.ts';
import { studyToChange } from '#imaging/studies/study-rows.ts';
import { moveStudyAfter } from '#imaging/studies/system-moves.ts';
import { changeReport, auditReport } from '#reading/report-records/change-report.ts';
import { acceptContent } from '#reading/report-records/content.ts';
import { newReportFacts } from '#reading/report-records/new-report-facts.ts';
import { refuseUnprintableText } from '#reading/report-delivery/printable-characters.ts';
import { refuseRefiled } from '#reading/report-records/refiled-reports.ts';
import { reviewersOf } from './reviewers.ts';
import { assertMaySign, remarkDetail } from '#identity/signing-holds/assert-may-sign.ts';
import { assertMay, problemOfRefusal, reportById } from '#reading/report-records/stored-report.ts';
import { notifyAuthorOfReview, notifyFormerReviewer, notifyReviewer } from '#reading/report-records/announce-report.ts';
import { indexReports } from '#reading/report-records/report-texts.ts';
import { storeVersion } from '#reading/report-records/versions.ts';
import { flagAfter, flagIn, isSameFlag } from './critical-flag.ts';

/** Actions of users on reports. Each function returns the id of the changed report. */

/**
 * Begins the report of a study. The caller becomes its author. A study has only one open report at a time. Locks the
 * study, so that beginning a report and a move of the study wait for each other. A later move then finds the report and
 * gives it a new revision.
 */
export const create = async (scope: Scope, studyId: string, form: Body<typeof endpoints.create>): Promise<string> => {
  const study = await studyToChange(scope, studyId);
  const { open, ...facts } = await newReportFacts(scope, study);
  if (open) {
    throw new Problem(409, 'report.open', t`This study already has an open report, by ${open.author.name}`, {
      fields: { reportId: open.id },
    });
  }
  const refusal = refuseNewReport(facts);
  if (refusal) throw problemOfRefusal(refusal);
  if (form.patientId !== undefined) refuseRefiled(study, form.patientId);
  const content = acceptContent(form.content);
  const id = newId();
  const inserted = await scope.db
    .insertInto('reports')
    .values({ id, study_id: studyId, author_id: scope.session.userId, content, ...flagIn(form) })
    .returning(['content', 'has_critical_findings', 'critical_findings_details'])
    .executeTakeFirstOrThrow();
  await admitPassages(scope, { studyId, reportId: id }, content);
  await storeVersion(scope, { reportId: id, version: 1, status: 'DRAFT', action: 'CREATED', ...inserted });
  await indexReports(scope, [id]);
  await deleteSavedAutosaves(scope, studyId, { ...inserted, keptTextId: form.keptTextId });
  await recordTask(scope, { studyId, type: 'REPORT_STATUS', displayValue: 'DRAFT', details: 'Report created' });
  await auditReport(scope, 'report.create', { id, study_id: studyId, patient_id: study.patient_id });
  await announce(scope, { kind: 'study', studyId });
  await moveStudyAfter(scope, 'firstDraft', studyId);
  return id;
};

/** Saves the text. If the text is unchanged, no version is created. */
export const save = async (scope: Scope, id: string, form: Body<typeof endpoints.save>): Promise<string> => {
  const report = await reportById(scope, id);
  assertMay('edit', report, scope.session);
  const content = acceptContent(form.content);
  const flag = flagIn(form);
  await admitPassages(scope, { studyId: report.study_id, reportId: id }, content);
  await deleteSavedAutosaves(scope, report.study_id, {
    content,
    ...flagAfter(flag, report),
    keptTextId: form.keptTextId,
  });
  if (content === report.content && isSameFlag(flag, report)) return id;
  await changeReport(scope, report, {
    act: 'edit',
    action: 'SAVED',
    from: editableStates,
    revision: form.revision,
    set: { content, ...flag },
  });
  return id;
};

/** Asks a colleague to review the last saved text. */
export const requestReview = async (
  scope: Scope,
  id: string,
  { reviewerId, notes, revision }: Body<typeof endpoints.requestReview>,
): Promise<string> => {
  const report = await reportById(scope, id);
  assertMay('requestReview', report, scope.session);
  const reviewer = (await reviewersOf(scope, report)).find((person) => person.id === reviewerId);
  if (!reviewer) throw invalid({ reviewerId: t`Please select a reviewer` });
  refuseUnprintableText(report.content);
  await changeReport(scope, report, {
    act: 'requestReview',
    action: 'REVIEW_REQUESTED',
    from: statesBefore(reportMoves, 'PENDING_REVIEW'),
    revision,
    comment: notes,
    set: {
      status: 'PENDING_REVIEW',
      reviewer_id: reviewerId,
      review_notes: notes,
      review_comments: '',
      review_requested_at: sql`now()`,
      review_completed_at: null,
    },
  });
  await recordTask(scope, {
    studyId: report.study_id,
    type: 'REPORT_STATUS',
    displayValue: 'PENDING_REVIEW',
    details: `Review requested from ${reviewer.name}`,
  });
  await notifyReviewer(scope, report, reviewerId);
  return id;
};

/**
 * Asks another reviewer instead. The first reviewer may be absent for long or may have left, and the report could then
 * not leave its review. The note of the author stays.
 */
export const rerouteReview = async (
  scope: Scope,
  id: string,
  { reviewerId, revision }: Body<typeof endpoints.rerouteReview>,
): Promise<string> => {
  const report = await reportById(scope, id);
  assertMay('rerouteReview', report, scope.session);
  const reviewer = (await reviewersOf(scope, report)).find((person) => person.id === reviewerId);
  if (!reviewer) throw invalid({ reviewerId: t`Please select a reviewer` });
  if (reviewerId === report.reviewer_id)
    throw invalid({ reviewerId: t`This review was already requested from this colleague` });
  await changeReport(scope, report, {
    act: 'rerouteReview',
    action: 'REVIEW_REQUESTED',
    from: ['PENDING_REVIEW'],
    revision,
    comment: report.reviewer ? `Instead of ${report.reviewer.name}` : '',
    set: { reviewer_id: reviewerId, review_requested_at: sql`now()` },
  });
  await recordTask(scope, {
    studyId: report.study_id,
    type: 'REPORT_STATUS',
    displayValue: 'PENDING_REVIEW',
    details: `Review requested from ${reviewer.name}`,
  });
  await notifyReviewer(scope, report, reviewerId);
  await notifyFormerReviewer(scope, report);
  return id;
};

/** Approves a report or sends it back, with comments. */
export const submitReview = async (
  scope: Scope,
  id: string,
  { approved, comments, revision }: Body<typeof endpoints.submitReview>,
): Promise<string> => {
  const report = await reportById(scope, id);
  const remark = await assertMaySign(scope);
  assertMay('submitReview', report, scope.session);
  if (approved) {
    refuseOpenPassages(report.content);
    refuseUnprintableText(report.content);
  }
  const status = approved ? 'APPROVED' : 'REVISION_REQUIRED';
  await changeReport(scope, report, {
    act: 'submitReview',
    action: approved ? 'APPROVED' : 'REVISION_REQUESTED',
    from: statesBefore(reportMoves, status),
    revision,
    comment: comments,
    set: { status, review_comments: comments, review_completed_at: sql`now()` },
    detail: remarkDetail(remark),
  });
  await recordTask(scope, {
    studyId: report.study_id,
    type: 'REPORT_STATUS',
    displayValue: status,
    details: comments,
  });
  await notifyAuthorOfReview(scope, report, approved);
  return id;
};
