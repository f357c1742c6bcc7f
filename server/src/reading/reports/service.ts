import { t } from '@radwork/contract/core/translate';
import type { Body } from '@radwork/contract/core/endpoint';
import { editableStates, finalizableStates, refuseNewReport } from '@radwork/contract/reading/report-rights';
import { statesBefore } from '@radwork/contract/core/moves';
import { signedStatement } from '@radwork/contract/reading/report-parts';
import type { reports as endpoints } from '@radwork/contract/reading/reports';
import { reportMoves } from '@radwork/contract/reading/report-status';
import { sql, type Updateable } from 'kysely';
import { announce } from '#core/live/announce.ts';
import { newId } from '#core/values/ids.ts';
import { conflict, invalid, Problem } from '#core/http/problem.ts';
import type { Reports } from '#core/database/schema.ts';
import type { Scope } from '#core/access/scope.ts';
import { recordTask } from '#core/jobs/task-history.ts';
import { deleteSavedAutosaves } from '#reading/report-autosaves/stored-autosaves.ts';
import { recordFlagged } from '#reading/critical-findings/record-finding.ts';
import { askToReview, offerFollowUps } from '#reading/follow-ups/offer-follow-ups.ts';
import { storeAfterSigning } from '#reading/report-delivery/queue-delivery.ts';
import { notifyOfFeedback } from '#reading/report-feedback/service.ts';
import { overriddenIn, warningsAbout } from '#reading/report-checks/service.ts';
import { admitPassages, refuseOpenPassages } from '#reading/drafting/passages.ts';
import { studyToChange } from '#imaging/studies/study-rows.ts';
import { moveStudyAfter } from '#imaging/studies/system-moves.ts';
import { changeReport, auditReport } from '#reading/report-records/change-report.ts';
import { acceptContent, finalContent, hashOfContent } from '#reading/report-records/content.ts';
import { newReportFacts } from '#reading/report-records/new-report-facts.ts';
import { refuseUnprintableName, refuseUnprintableText } from '#reading/report-delivery/printable-characters.ts';
import { release } from '#reading/reading-locks/service.ts';
import { refuseRefiled } from '#reading/report-records/refiled-reports.ts';
import { changeSincePreliminary } from './preliminary.ts';
import { requireIdentified } from './require-identified.ts';
import { reviewersOf } from './reviewers.ts';
import { assertMaySign, remarkDetail } from '#identity/signing-holds/assert-may-sign.ts';
import type { Form, SigningResult } from '#identity/signing-means/signed-with.ts';
import { assertOwnName, assertSigned, ownSigner } from '#identity/signing-means/signature.ts';
import { assertMay, problemOfRefusal, reportById, type StoredReport } from '#reading/report-records/stored-report.ts';
import {
  notifyAuthorOfReview,
  notifyFormerReviewer,
  reachOutReportReady,
  notifyReviewer,
} from '#reading/report-records/announce-report.ts';
import { indexReports } from '#reading/report-records/report-texts.ts';
import { storeVersion } from '#reading/report-records/versions.ts';

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

type Signing = Omit<Body<typeof endpoints.finalize>, keyof Form> & Pick<Form, 'typedName'>;

/** Signs a report, with the image of a signature. After this, its text and the SHA-256 of the text do not change. */
export const finalize = async (scope: Scope, id: string, form: Signing, signed: SigningResult): Promise<string> => {
  const { study_id } = await reportById(scope, id);
  // Locks the study, so that the signature and a deletion, cancellation or move of the study wait for each other.
  await studyToChange(scope, study_id);
  const report = await reportById(scope, id);
  const remark = await assertMaySign(scope);
  assertMay('finalize', report, scope.session);
  const content = acceptContent(form.content);
  if (report.status === 'APPROVED' && content !== report.content) {
    throw conflict('report.approved', t`The text differs from the approved text`);
  }
  refuseOpenPassages(content);
  const signedContent = finalContent(content);
  // An approved text cannot be changed now, so it is not checked. It may have been approved before this check existed.
  if (report.status !== 'APPROVED') refuseUnprintableText(content);
  refuseUnprintableName(report.patient_name);
  assertSigned(signed.picture, report.is_signature_required);
  const signer = await ownSigner(scope);
  assertOwnName(signer, form.typedName);
  const identityStatement = await requireIdentified(scope, study_id, form.identityStatement);
  const flag = flagIn(form);
  const flagged = flagAfter(flag, report);
  const { has_critical_findings: isFlagged, critical_findings_details: details } = flagged;
  if (isFlagged && !details) throw invalid({ criticalFindingsDetails: t`Critical findings details are required` });
  // Checks the text that is being signed, whatever the browser has shown. Warnings do not prevent signing.
  const warnings = await warningsAbout(scope, report, content, isFlagged);
  const preliminaryChange = await changeSincePreliminary(scope, report, form.preliminaryChange);
  await signed.complete(scope);
  await changeReport(scope, report, {
    act: 'finalize',
    action: 'FINALIZED',
    from: finalizableStates(report.is_review_required),
    revision: form.revision,
    set: {
      status: 'FINALIZED',
      content: signedContent,
      ...flag,
      content_hash: hashOfContent(signedContent),
      statement: signedStatement,
      signature_data: signed.picture,
      signing_remark: remark,
      signer_name: signer.name,
      signer_credentials: signer.credentials,
      identity_statement: identityStatement,
      preliminary_change: preliminaryChange,
      finalized_at: sql`now()`,
      finalized_by: scope.session.userId,
    },
    detail: {
      ...overriddenIn(warnings),
      ...signed.detail,
      ...remarkDetail(remark),
      ...(identityStatement !== '' && { statesIdentity: true }),
      ...(preliminaryChange !== '' && { changesPreliminary: true }),
    },
  });
  await deleteSavedAutosaves(scope, report.study_id, { content, ...flagged, keptTextId: undefined });
  await recordTask(scope, {
    studyId: report.study_id,
    type: 'REPORT_STATUS',
    displayValue: 'FINALIZED',
    details: 'Report finalized',
  });
  if (isFlagged) await recordFlagged(scope, report, details);
  // A signed report replaces earlier reports of the study.
  await askToReview(scope, [report.study_id], 'CORRECTED', id);
  await offerFollowUps(scope, report, content);
  await notifyOfFeedback(scope, report, content);
  await reachOutReportReady(scope, report);
  await storeAfterSigning(scope, id, report.study_id);
  await release(scope, report.study_id);
  await moveStudyAfter(scope, 'finalized', report.study_id);
  return id;
};

type Flag = Pick<Updateable<Reports>, 'has_critical_findings' | 'critical_findings_details'>;

/** Returns the columns of the flag for critical findings from a form. Empty if the form does not set the flag. */
const flagIn = (form: Pick<Body<typeof endpoints.save>, 'hasCriticalFindings' | 'criticalFindingsDetails'>): Flag =>
  form.hasCriticalFindings === undefined
    ? {}
    : {
        has_critical_findings: form.hasCriticalFindings,
        critical_findings_details: form.hasCriticalFindings ? (form.criticalFindingsDetails ?? '') : '',
      };

/** Returns the new flag of a report. Without a flag in the form, the report keeps its flag. */
const flagAfter = (flag: Flag, report: StoredReport) => ({
  has_critical_findings: flag.has_critical_findings ?? report.is_flagged,
  critical_findings_details: flag.critical_findings_details ?? report.critical_findings_details,
});

const isSameFlag = (flag: Flag, report: StoredReport): boolean =>
  flag.has_critical_findings === undefined ||
  (flag.has_critical_findings === report.is_flagged &&
    flag.critical_findings_details === report.critical_findings_details);
