import type { Gender } from '@radwork/contract/imaging/patients';
import type { CommunicationMethod, CriticalSeverity } from '@radwork/contract/reading/critical-finding-states';
import type { SignedPart } from '@radwork/contract/reading/report-parts';
import type { ReportRow } from '@radwork/contract/reading/reports';
import type { ReportStatus } from '@radwork/contract/imaging/study-marks';
import { sql } from 'kysely';
import { localStudyTime } from '#core/values/local-time.ts';
import { orNotFound } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { isOfFormerPatient } from '#reading/critical-findings/finding-rows.ts';
import { type SecondIdentifier, secondIdentifier } from './second-identifier.ts';
import { signedParts } from '#reading/report-records/signed-parts.ts';
import { newerSignedAt, personOf } from '#reading/report-records/stored-report.ts';

type Person = ReportRow['author'];

/** An attempt to communicate a critical finding. */
type DocumentCommunication = {
  recipient: string;
  method: CommunicationMethod;
  wasReached: boolean;
  hasReadBack: boolean;
  at: string;
  by: string;
};

export type DocumentFinding = {
  severity: CriticalSeverity;
  finding: string;
  at: string;
  by: string;
  communications: DocumentCommunication[];
};

/** A report as plain data, with everything that a PDF or another system needs. Names are DICOM person names. */
export type ReportDocument = {
  /** STRANGER: the holder of a share link. This reader sees no more data than the page of the link shows. */
  reader: 'COLLEAGUE' | 'STRANGER';
  reportId: string;
  studyId: string;
  status: ReportStatus;
  /** Issuer and time of a preliminary report, or null. `content` is then its frozen text. */
  preliminary: { number: number; by: string; at: string } | null;
  /** Important change since the preliminary report, in the words of the signer; usually empty. */
  preliminaryChange: string;
  /** The last saved text. */
  content: string;
  /** All signed parts, beginning with the text. Empty for a report that is not finalized. */
  parts: SignedPart[];
  author: Person;
  reviewer: Person | null;
  criticalFindingsDetails: string;
  findings: DocumentFinding[];
  /** `identifierRoot` is unique for this organization across all installations. */
  organization: {
    id: number;
    name: string;
    identifierRoot: string;
    letterhead: string;
    footer: string;
    contact: string;
    logo: string | null;
  };
  /** An IANA name. */
  timeZone: string;
  /** All patient data in the report as one value. A change of this value means that the patient data have changed. */
  naming: string;
  patient: { id: string; name: string; patientId: string; issuer: string; sex: Gender; birthDate: string | null };
  /** Identifies the patient to a reader without an account, besides the name. Null when unknown. */
  identifier: SecondIdentifier | null;
  study: {
    studyInstanceUid: string;
    scannerStudyId: string;
    accessionNumber: string;
    orderNumber: string;
    description: string;
    modality: string;
    modalities: string[];
    /** A time without a zone, "2026-11-20T09:30:00". Null when unknown. */
    dateTime: string | null;
    /** The scanner's offset: "+0100". */
    timezoneOffset: string;
    referringPhysician: string;
  };
  /** Time of the last change to the content. */
  changedAt: string;
  /** Time when a newer report of the study was signed. Null if there is none. */
  newerSignedAt: string | null;
};

/** Returns the sentence on an important change since the preliminary report, for PDF and other systems. */
export const changeFromPreliminary = (change: string): string =>
  `Important change from the preliminary report: ${change}`;

/** SQL: the value of `naming` for the patient "p". */
export const namingOfPatient = sql<string>`patient_naming(p)`;

/** Returns the report with this id. Throws 404. The caller must check the access to the report. */
export const documentOf = async (scope: Scope, reportId: string): Promise<ReportDocument> => {
  const row = orNotFound(await reportRow(scope, reportId), 'report');
  const parts = await signedParts(scope, reportId);
  return {
    reader: 'COLLEAGUE',
    reportId,
    studyId: row.study_id,
    status: row.status,
    preliminary: null,
    preliminaryChange: row.preliminary_change,
    content: row.content,
    parts,
    author: row.author,
    reviewer: row.reviewer,
    criticalFindingsDetails: row.has_critical_findings ? row.critical_findings_details : '',
    findings: await findingsOf(scope, reportId),
    organization: {
      id: scope.session.tenantId,
      name: row.tenant_name,
      identifierRoot: row.identifier_root,
      letterhead: row.letterhead,
      footer: row.letterhead_footer,
      contact: row.report_contact,
      logo: row.letterhead_logo,
    },
    timeZone: row.time_zone,
    naming: row.naming,
    patient: {
      id: row.patient_id,
      name: row.patient_name,
      patientId: row.patient_identifier,
      issuer: row.issuer,
      sex: row.gender,
      birthDate: row.date_of_birth,
    },
    identifier: secondIdentifier(row.report_identifier, {
      BIRTH_DATE: row.date_of_birth,
      PATIENT_ID: row.patient_identifier,
      ACCESSION_NUMBER: row.accession_number,
    }),
    study: {
      studyInstanceUid: row.study_instance_uid,
      scannerStudyId: row.scanner_study_id,
      accessionNumber: row.accession_number,
      orderNumber: row.order_number,
      description: row.study_description,
      modality: row.modality,
      modalities: row.modalities,
      dateTime: localStudyTime(row),
      timezoneOffset: row.timezone_offset,
      referringPhysician: row.referring_physician_name,
    },
    changedAt: parts.at(-1)?.finalizedAt ?? row.updated_at,
    newerSignedAt: row.newer_signed_at,
  };
};

const reportRow = ({ db }: Scope, reportId: string) =>
  db
    .selectFrom('reports as r')
    .innerJoin('studies as s', 's.id', 'r.study_id')
    .innerJoin('patients as p', 'p.id', 's.patient_id')
    .innerJoin('tenants as t', 't.id', 'r.tenant_id')
    .innerJoin('users as author', 'author.id', 'r.author_id')
    .leftJoin('users as reviewer', 'reviewer.id', 'r.reviewer_id')
    .select(['r.study_id', 'r.status', 'r.content', 'r.updated_at'])
    .select(['r.has_critical_findings', 'r.critical_findings_details', 'r.preliminary_change'])
    .select([
      't.name as tenant_name',
      't.letterhead',
      't.letterhead_footer',
      't.report_contact',
      't.report_identifier',
      't.letterhead_logo',
      't.time_zone',
      't.identifier_root',
    ])
    .select(['s.patient_id', 's.patient_name', 's.patient_identifier', 'p.issuer', 'p.gender', 'p.date_of_birth'])
    .select([namingOfPatient.as('naming'), newerSignedAt.as('newer_signed_at')])
    .select(['s.study_instance_uid', 's.scanner_study_id', 's.accession_number', 's.order_number', 's.modality'])
    .select(['s.modalities', 's.study_date', 's.is_study_time_known', 's.timezone_offset'])
    .select('s.referring_physician_name')
    .select(
      sql<string>`case when s.description <> '' then s.description else s.study_description end`.as(
        'study_description',
      ),
    )
    .select([personOf('author').as('author'), personOf<Person | null>('reviewer').as('reviewer')])
    .where('r.id', '=', reportId)
    .where('s.deleted_at', 'is', null)
    .executeTakeFirst();

/** Returns the critical findings that were not withdrawn. */
const findingsOf = async ({ db }: Scope, reportId: string): Promise<DocumentFinding[]> => {
  const findings = await db
    .selectFrom('critical_findings as f')
    .innerJoin('users as finder', 'finder.id', 'f.identified_by')
    .select(['f.id', 'f.severity', 'f.finding', 'f.identified_at as at', 'finder.name as by'])
    .where('f.report_id', '=', reportId)
    .where('f.state', '<>', 'WITHDRAWN')
    .orderBy('f.identified_at')
    .orderBy('f.id')
    .execute();
  const communications = await db
    .selectFrom('critical_communications as c')
    .innerJoin('critical_findings as f', 'f.id', 'c.finding_id')
    .innerJoin('users as teller', 'teller.id', 'c.told_by')
    .select(['c.finding_id as findingId', 'c.recipient_name as recipient', 'c.method', 'c.was_reached as wasReached'])
    .select(['c.has_read_back as hasReadBack', 'c.told_at as at', 'teller.name as by'])
    .where('f.report_id', '=', reportId)
    // Leaves out communications from before a move of the study. In the report, they would seem to be about the current
    // patient.
    .where(isOfFormerPatient, '=', false)
    .orderBy('c.told_at')
    .orderBy('c.id')
    .execute();
  return findings.map(({ id, ...finding }) => ({
    ...finding,
    communications: communications.filter(({ findingId }) => findingId === id),
  }));
};
