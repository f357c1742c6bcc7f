import { t } from '@radwork/contract/core/translate';
import type { Body } from '@radwork/contract/core/endpoint';
import { finalizableStates } from '@radwork/contract/reading/report-rights';
import { signedStatement } from '@radwork/contract/reading/report-parts';
import type { reports as endpoints } from '@radwork/contract/reading/reports';
import { sql } from 'kysely';
import { conflict, invalid } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { recordTask } from '#core/jobs/task-history.ts';
import { deleteSavedAutosaves } from '#reading/report-autosaves/stored-autosaves.ts';
import { recordFlagged } from '#reading/critical-findings/record-finding.ts';
import { askToReview, offerFollowUps } from '#reading/follow-ups/offer-follow-ups.ts';
import { storeAfterSigning } from '#reading/report-delivery/queue-delivery.ts';
import { notifyOfFeedback } from '#reading/report-feedback/service.ts';
import { overriddenIn, warningsAbout } from '#reading/report-checks/service.ts';
import { refuseOpenPassages } from '#reading/drafting/passages.ts';
import { studyToChange } from '#imaging/studies/study-rows.ts';
import { moveStudyAfter } from '#imaging/studies/system-moves.ts';
import { changeReport } from '#reading/report-records/change-report.ts';
import { acceptContent, finalContent, hashOfContent } from '#reading/report-records/content.ts';
import { refuseUnprintableName, refuseUnprintableText } from '#reading/report-delivery/printable-characters.ts';
import { release } from '#reading/reading-locks/service.ts';
import { changeSincePreliminary } from './preliminary.ts';
import { requireIdentified } from './require-identified.ts';
import { assertMaySign, remarkDetail } from '#identity/signing-holds/assert-may-sign.ts';
import type { Form, SigningResult } from '#identity/signing-means/signed-with.ts';
import { assertOwnName, assertSigned, ownSigner } from '#identity/signing-means/signature.ts';
import { assertMay, reportById } from '#reading/report-records/stored-report.ts';
import { reachOutReportReady } from '#reading/report-records/announce-report.ts';
import { flagAfter, flagIn } from './critical-flag.ts';

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
