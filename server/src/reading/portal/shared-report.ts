import type { PortalPart, PortalReport } from '@radwork/contract/reading/portal';
import type { SignedPart } from '@radwork/contract/reading/report-parts';
import { displayName } from '@radwork/dicom/person-name';
import { sql } from 'kysely';
import { localStudyTime } from '#core/values/local-time.ts';
import { orNotFound, notFound } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { findingsOfReport } from '#reading/critical-findings/finding-rows.ts';
import { isSameText } from '#reading/critical-findings/same-text.ts';
import { documentOf, type ReportDocument } from '#reading/report-delivery/report-document.ts';
import { secondIdentifier } from '#reading/report-delivery/second-identifier.ts';
import { rebuildHtmlForElsewhere } from '#reading/report-records/report-html.ts';
import { signedParts } from '#reading/report-records/signed-parts.ts';
import { newerSignedAt } from '#reading/report-records/stored-report.ts';

type Shared<T> = { report: T; studyId: string; patientId: string };

/** Returns the report for the PDF. The PDF contains no more about patient and staff than the page shows. */
export const sharedDocument = async (scope: Scope, reportId: string): Promise<Shared<ReportDocument>> => {
  const report = await documentOf(scope, reportId);
  if (report.parts.length === 0) throw notFound('report');
  const { patient, study } = report;
  const forStranger: ReportDocument = {
    ...report,
    reader: 'STRANGER',
    naming: '',
    reviewer: null,
    preliminaryChange: '',
    patient: { id: '', name: patient.name, patientId: '', issuer: '', sex: 'U', birthDate: null },
    study: { ...study, scannerStudyId: '', accessionNumber: '', orderNumber: '', referringPhysician: '' },
    findings: report.findings.map((finding) => ({ ...finding, by: '', told: [] })),
  };
  return { report: forStranger, studyId: report.studyId, patientId: patient.id };
};

/**
 * Returns a signed report and everything signed after it, for a reader without an account. Links into the viewer are
 * removed, because this reader cannot open them. Throws 404 when the study was deleted.
 */
export const sharedReport = async (scope: Scope, reportId: string): Promise<Shared<PortalReport>> => {
  const stored = orNotFound(await reportBehind(scope, reportId), 'report');
  const [text, ...addenda] = await signedParts(scope, reportId);
  if (!text) throw notFound('report');
  const findings = await findingsOfReport(scope, reportId);
  const { statement, signatureData, signingRemark, identityStatement, contentHash, isUnchanged, content } = text;
  const report: PortalReport = {
    content: rebuildHtmlForElsewhere(content).html,
    tenantName: stored.tenant_name,
    letterhead: stored.letterhead,
    letterheadFooter: stored.letterhead_footer,
    letterheadLogo: stored.letterhead_logo,
    contact: stored.report_contact,
    patientName: displayName(stored.patient_name),
    patientIdentifier: secondIdentifier(stored.report_identifier, {
      BIRTH_DATE: stored.date_of_birth,
      PATIENT_ID: stored.patient_identifier,
      ACCESSION_NUMBER: stored.accession_number,
    }),
    studyDate: localStudyTime(stored),
    studyDescription: stored.study_description,
    modality: stored.modality,
    authorName: stored.author_name,
    finalizedByName: text.finalizedBy.name,
    finalizedByCredentials: text.finalizedBy.credentials,
    finalizedAt: text.finalizedAt,
    statement,
    signatureData,
    signingRemark,
    identityStatement,
    contentHash,
    isUnchanged,
    amended: addenda.length > 0,
    newerSignedAt: stored.newer_signed_at,
    addenda: addenda.map(toPortalPart),
    criticalFindings: findings.map(({ finding, severity, identifiedDateTime }) => ({
      finding,
      severity,
      identifiedDateTime,
    })),
    criticalFindingsDetails: findings.some(({ finding }) => isSameText(finding, stored.flag)) ? '' : stored.flag,
  };
  return { report, studyId: stored.study_id, patientId: stored.patient_id };
};

const toPortalPart = ({ finalizedBy, content, ...part }: SignedPart): PortalPart => ({
  ...part,
  content: rebuildHtmlForElsewhere(content).html,
  signedByName: finalizedBy.name,
  signedByCredentials: finalizedBy.credentials,
});

const reportBehind = ({ db }: Scope, reportId: string) =>
  db
    .selectFrom('reports as r')
    .innerJoin('studies as s', 's.id', 'r.study_id')
    .innerJoin('patients as p', 'p.id', 's.patient_id')
    .innerJoin('tenants as t', 't.id', 'r.tenant_id')
    .innerJoin('users as author', 'author.id', 'r.author_id')
    .select(['r.study_id', 's.patient_id', 's.patient_name', 's.study_date', 's.modality'])
    .select('s.is_study_time_known')
    .select([
      's.patient_identifier',
      's.accession_number',
      'p.date_of_birth',
      't.report_identifier',
      't.report_contact',
    ])
    .select(['t.name as tenant_name', 't.letterhead', 't.letterhead_footer', 't.letterhead_logo'])
    .select(['author.name as author_name', newerSignedAt.as('newer_signed_at')])
    .select(
      sql<string>`case when s.description <> '' then s.description else s.study_description end`.as(
        'study_description',
      ),
    )
    .select(sql<string>`case when r.has_critical_findings then r.critical_findings_details else '' end`.as('flag'))
    .where('r.id', '=', reportId)
    .where('r.status', '=', 'FINALIZED')
    .where('s.deleted_at', 'is', null)
    .executeTakeFirst();
