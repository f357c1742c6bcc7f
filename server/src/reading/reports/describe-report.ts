import { refuseNewReport, reportRightsOf, seesDrafts } from '@radwork/contract/reading/report-rights';
import type { PreliminaryReport } from '@radwork/contract/reading/preliminary-reports';
import type { ReadingOfReport } from '@radwork/contract/reading/reading-locks';
import type { Report, ReportOfStudy } from '@radwork/contract/reading/reports';
import { displayName } from '@radwork/dicom/person-name';
import { sql } from 'kysely';
import { hasPermission, type Scope } from '#core/access/scope.ts';
import type { SecretKey } from '#core/installation/secret-key.ts';
import { findingsOfReport } from '#reading/critical-findings/finding-rows.ts';
import { toMark } from '#imaging/identity-marks/identity-marks.ts';
import { countComments } from '#reading/report-comments/comment-rows.ts';
import { lockOf, toReading } from '#reading/report-records/stored-lock.ts';
import { link } from '#reading/sharing/service.ts';
import { imagesSince } from '#imaging/studies/images-since.ts';
import { type StoredStudy, studyById } from '#imaging/studies/study-rows.ts';
import { ownDraft } from './addenda.ts';
import { hashOfContent } from '#reading/report-records/content.ts';
import { newReportFacts } from '#reading/report-records/new-report-facts.ts';
import { auditView } from './note-view.ts';
import { preliminaryMarkOf, shownChange, shownPreliminary } from '#reading/report-records/preliminary-versions.ts';
import { refuseWriting } from '#reading/report-records/refuse-writing.ts';
import { reviewersOf } from './reviewers.ts';
import { signedAddenda } from '#reading/report-records/signed-parts.ts';
import {
  factsOf,
  newestReport,
  reportById,
  signedReportInForce,
  type StoredReport,
  toReportRow,
} from '#reading/report-records/stored-report.ts';
import { historyOf, versionOf } from '#reading/report-records/versions.ts';

/** Returns one report with all its data, and audits the read. */
export const get = async (scope: Scope, secretKey: SecretKey, id: string): Promise<Report> => {
  const report = await reportById(scope, id);
  await auditView(scope, report, report.revision);
  return describe(scope, secretKey, report);
};

/**
 * Returns the newest report of a study. If it is not signed yet, also returns the signed report that is valid until
 * then. Also returns whether the caller may begin a report.
 */
export const ofStudy = async (scope: Scope, secretKey: SecretKey, studyId: string): Promise<ReportOfStudy> => {
  const study = await studyById(scope, studyId);
  const report = await newestReport(scope, studyId);
  const reportInForce = report && (await signedReportInForce(scope, report));
  for (const viewed of [report, reportInForce]) if (viewed) await auditView(scope, viewed, viewed.revision);
  const refusal = refuseNewReport(await newReportFacts(scope, study));
  return {
    report: report ? await describe(scope, secretKey, report) : null,
    standing: reportInForce && (await describe(scope, secretKey, reportInForce)),
    preliminary: await preliminaryFor(scope, study),
    patient: {
      id: study.patient_id,
      patientName: displayName(study.patient_name),
      patientId: study.patient_identifier,
    },
    canCreate: refusal === undefined,
    reasons: refusal ? [refusal.reason] : [],
    readingBy: await readingOf(scope, study, report),
  };
};

/** Returns the preliminary report that a caller without a right to drafts may see, and audits the read. */
const preliminaryFor = async (scope: Scope, study: StoredStudy): Promise<PreliminaryReport | undefined> => {
  const shown = await shownPreliminary(scope, study.id);
  if (shown) {
    const viewed = { id: shown.reportId, study_id: study.id, patient_id: study.patient_id };
    await auditView(scope, viewed, shown.version);
  }
  return shown;
};

/**
 * For callers who see drafts, returns the user who is writing the report, and whether the caller may take over the
 * lock.
 */
const readingOf = async (
  scope: Scope,
  study: StoredStudy,
  report: StoredReport | undefined,
): Promise<ReadingOfReport | null> => {
  const lock = seesDrafts(scope.session.userType) ? await lockOf(scope, study.id) : undefined;
  if (!lock) return null;
  const reading = toReading(lock, scope.session);
  const refusal = await refuseWriting(scope, study, report?.status === 'FINALIZED');
  return {
    ...reading,
    reason: lock.reason,
    isTakenFromMe: lock.taken_from === scope.session.userId,
    canTakeOver: !reading.isMe && refusal === undefined,
  };
};

/** Returns the text of a report at one of its versions. */
export const version = async (scope: Scope, id: string, number: string) => {
  const report = await reportById(scope, id);
  const entry = await versionOf(scope, id, number);
  await auditView(scope, report, entry.version);
  return entry;
};

export const reviewers = async (scope: Scope, id: string) => reviewersOf(scope, await reportById(scope, id));

/** Returns a report after a change by the caller. */
export const afterChange = async (scope: Scope, secretKey: SecretKey, id: string): Promise<Report> =>
  describe(scope, secretKey, await reportById(scope, id));

const describe = async (scope: Scope, secretKey: SecretKey, report: StoredReport): Promise<Report> => {
  const { session } = scope;
  const findings = await findingsOfReport(scope, report.id);
  const addenda = await signedAddenda(scope, report.id);
  const shared = hasPermission(session, 'report.share') ? await link(scope, secretKey, report.id) : null;
  // Notes between colleagues during the review are not part of the report.
  const isInside = seesDrafts(session.userType);
  return {
    ...toReportRow(report),
    dateOfBirth: report.date_of_birth,
    content: report.content,
    revision: report.revision,
    refiledAt: report.refiled_at,
    criticalFindingsDetails: report.critical_findings_details,
    criticalFindings: findings,
    criticalResults: findings.map(({ finding }) => ({ finding })),
    reviewNotes: isInside ? report.review_notes : '',
    reviewComments: isInside ? report.review_comments : '',
    reviewRequestedAt: report.review_requested_at,
    reviewCompletedAt: report.review_completed_at,
    finalizedBy: report.finalized_by,
    contentHash: report.content_hash?.toString('hex') ?? null,
    isUnchanged: report.content_hash && hashOfContent(report.content).equals(report.content_hash),
    statement: report.statement,
    signingRemark: report.signing_remark,
    identity: toMark(report.identity),
    identityStatement: report.identity_statement,
    addenda,
    newImages: await imagesSince(
      scope,
      report.study_id,
      sql`${addenda.at(-1)?.finalizedAt ?? report.finalized_at}::timestamptz`,
    ),
    preliminary: await preliminaryMarkOf(scope, report.id),
    preliminaryChange: await shownChange(scope, report.preliminary_change),
    addendumDraft: await ownDraft(scope, report.id),
    signatureData: report.signature_data,
    signatureRequired: report.is_signature_required,
    linkHash: shared?.linkHash ?? null,
    commentCount: isInside ? await countComments(scope, report.id) : 0,
    history: await historyOf(scope, report.id),
    rights: reportRightsOf(factsOf(report, session)),
  };
};
