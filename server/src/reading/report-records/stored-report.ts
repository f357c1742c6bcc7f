import type { SignedPart } from '@radwork/contract/reading/report-parts';
import { type ReportFacts, type Refusal, refuseReport, seesDrafts } from '@radwork/contract/reading/report-rights';
import type { ReportAct, ReportRow } from '@radwork/contract/reading/reports';
import { displayName } from '@radwork/dicom/person-name';
import { sql } from 'kysely';
import { localStudyTime } from '#core/values/local-time.ts';
import { orNotFound, Problem } from '#core/http/problem.ts';
import type { Scope, Session } from '#core/access/scope.ts';
import { prepared } from '#core/database/database.ts';
import { mayKnowStudy } from '#core/access/study-access.ts';
import { criticalState } from './critical-states.ts';
import { markOfStudy, toMark } from '#imaging/identity-marks/identity-marks.ts';
import { isLockedByAnother, otherReader } from './stored-lock.ts';

type Person = ReportRow['author'];
type Signer = SignedPart['finalizedBy'];

/** SQL: the name, username and id of a joined user as one JSON value. */
export const personOf = <T extends Person | null = Person>(alias: string) =>
  sql<T>`case when ${sql.ref(`${alias}.id`)} is not null then json_build_object(
    'id', ${sql.ref(`${alias}.id`)}, 'username', ${sql.ref(`${alias}.username`)}, 'name', ${sql.ref(`${alias}.name`)}) end`;

/** Selects the signer, with name and credentials as in the signature. */
export const signerOf = <T extends Signer | null = Signer>(alias: 'r' | 'a') =>
  sql<T>`case when signer.id is not null then json_build_object(
    'id', signer.id, 'username', signer.username, 'name', coalesce(${sql.ref(`${alias}.signer_name`)}, signer.name),
    'credentials', ${sql.ref(`${alias}.signer_credentials`)}) end`;

export const isAssignedTo = ({ userId }: Session) =>
  sql<boolean>`exists (select from study_participants sp
    where sp.study_id = s.id and sp.role = 'ASSIGNEE' and sp.user_id::text = ${userId})`;

/** SQL condition: an addendum or a correction of a report was signed. */
const isAmended = sql<boolean>`exists (
  select from report_addenda amending where amending.report_id = r.id and amending.finalized_at is not null)`;

/** SQL: the time when a report of the study that is newer than `r` was signed. That report has then replaced `r`. */
export const newerSignedAt = sql<string | null>`(
  select max(newer.finalized_at) from reports newer where newer.study_id = r.study_id
  and newer.status = 'FINALIZED' and (newer.created_at, newer.id) > (r.created_at, r.id))`;

/**
 * SQL condition: the report is flagged or has a finding. A finding may be added after the signature, when the flag
 * cannot change.
 */
export const hasCriticalFindings = sql<boolean>`(r.has_critical_findings or exists (
  select from critical_findings cf where cf.report_id = r.id and cf.state <> 'WITHDRAWN'))`;

/**
 * Selects the reports of which the caller may know. The caller must know of their studies, and some users see only
 * finalized reports.
 */
export const knownReports = ({ db, session }: Scope) =>
  db
    .selectFrom('reports as r')
    .innerJoin('studies as s', 's.id', 'r.study_id')
    .where('s.deleted_at', 'is', null)
    .where(mayKnowStudy(session, 's.id'))
    .$if(!seesDrafts(session.userType), (reports) => reports.where('r.status', '=', 'FINALIZED'));

/** Selects the columns that a list shows of each report. */
export const listedReports = (scope: Scope) =>
  knownReports(scope)
    .innerJoin('users as author', 'author.id', 'r.author_id')
    .leftJoin('users as reviewer', 'reviewer.id', 'r.reviewer_id')
    .select([
      'r.id',
      'r.study_id',
      'r.status',
      'r.created_at',
      'r.finalized_at',
      's.patient_id',
      's.patient_name',
      's.patient_identifier',
      's.study_date',
      's.is_study_time_known',
      's.modality',
      's.accession_number',
      sql<string>`case when s.description <> '' then s.description else s.study_description end`.as(
        'study_description',
      ),
    ])
    .select([
      personOf('author').as('author'),
      personOf<Person | null>('reviewer').as('reviewer'),
      isAmended.as('is_amended'),
      hasCriticalFindings.as('has_critical_findings'),
      criticalState('r.id').as('critical_state'),
      markOfStudy(scope.session, 's.id').as('identity'),
    ]);

type ListedReport = Awaited<ReturnType<ReturnType<typeof listedReports>['execute']>>[number];

export const toReportRow = (report: ListedReport): ReportRow => ({
  id: report.id,
  studyId: report.study_id,
  status: report.status,
  amended: report.is_amended,
  author: report.author,
  reviewer: report.reviewer,
  createdAt: report.created_at,
  finalizedAt: report.finalized_at,
  hasCriticalFindings: report.has_critical_findings,
  criticalState: report.critical_state,
  patientRecordId: report.patient_id,
  patientName: displayName(report.patient_name),
  patientId: report.patient_identifier,
  studyDate: localStudyTime(report),
  modality: report.modality,
  accessionNumber: report.accession_number,
  studyDescription: report.study_description,
  identity: toMark(report.identity),
});

const wholeReports = (scope: Scope) =>
  listedReports(scope)
    .innerJoin('tenants as t', 't.id', 'r.tenant_id')
    .innerJoin('patients as p', 'p.id', 's.patient_id')
    .leftJoin('users as signer', 'signer.id', 'r.finalized_by')
    .leftJoin('reading_locks as l', (join) =>
      join.onRef('l.study_id', '=', 's.id').on(isLockedByAnother(scope.session, 'l')),
    )
    .select([
      'p.date_of_birth',
      'r.content',
      'r.revision',
      'r.refiled_at',
      'r.author_id',
      'r.reviewer_id',
      'r.has_critical_findings as is_flagged',
      'r.critical_findings_details',
      'r.review_notes',
      'r.review_comments',
      'r.review_requested_at',
      'r.review_completed_at',
      'r.content_hash',
      'r.statement',
      'r.identity_statement',
      'r.preliminary_change',
      'r.signature_data',
      'r.signing_remark',
      's.status as study_status',
      't.is_review_required',
      't.is_signature_required',
      'l.user_id as reader_id',
      'l.name as reader_name',
      'l.taken_at as read_since',
    ])
    .select([
      signerOf<Signer | null>('r').as('finalized_by'),
      isAssignedTo(scope.session).as('is_assigned'),
      isMember(scope.session).as('is_member'),
      isHeld(scope.session).as('is_held'),
    ]);

/** SQL condition: the caller has an open signing hold (identity/signing-holds). */
const isHeld = ({ userId }: Session) =>
  sql<boolean>`(not t.may_sign_unproven and exists (
    select from signing_holds held where held.user_id::text = ${userId} and held.lifted_at is null))`;

/** SQL condition: the caller is a user of this tenant. False for a super administrator who visits it. */
export const isMember = ({ userId }: Session) =>
  sql<boolean>`exists (select from users me where me.id::text = ${userId})`;

/** A stored report, with the facts that decide the rights of the caller. */
export type StoredReport = Awaited<ReturnType<ReturnType<typeof wholeReports>['execute']>>[number];

/**
 * Returns the report with this id. Throws 404 if the caller may not know of it. The statement is prepared, because
 * planning its joins takes thirty times as long as reading the row.
 */
export const reportById = async (scope: Scope, id: string): Promise<StoredReport> =>
  orNotFound(await wholeReports(scope).where('r.id', '=', id).modifyEnd(prepared).executeTakeFirst(), 'report');

const reportsNewestFirst = (scope: Scope, studyId: string) =>
  wholeReports(scope)
    .where('r.study_id', '=', studyId)
    .orderBy('r.created_at', 'desc')
    .orderBy('r.id', 'desc')
    .limit(1)
    .modifyEnd(prepared);

/** Returns the newest report of a study of which the caller may know. */
export const newestReport = (scope: Scope, studyId: string): Promise<StoredReport | undefined> =>
  reportsNewestFirst(scope, studyId).executeTakeFirst();

/** Returns the newest signed report of a study whose newest report is not signed. Otherwise undefined. */
export const signedReportInForce = async (
  scope: Scope,
  { study_id, status }: Pick<StoredReport, 'study_id' | 'status'>,
): Promise<StoredReport | undefined> =>
  status === 'FINALIZED'
    ? undefined
    : reportsNewestFirst(scope, study_id).where('r.status', '=', 'FINALIZED').executeTakeFirst();

export const permissionsOf = ({ roles }: Session) => roles.flatMap(({ permissions }) => permissions);

export const factsOf = (report: StoredReport, session: Session): ReportFacts => ({
  status: report.status,
  studyStatus: report.study_status,
  isReviewRequired: report.is_review_required,
  permissions: permissionsOf(session),
  isMember: report.is_member,
  isAuthor: report.author_id === session.userId,
  isReviewer: report.reviewer_id === session.userId,
  isAssigned: report.is_assigned,
  readBy: readerOf(report, session),
  isHeld: report.is_held,
});

const readerOf = ({ reader_id, reader_name, read_since }: StoredReport, session: Session) =>
  reader_id && reader_name && read_since
    ? otherReader({ user_id: reader_id, name: reader_name, taken_at: read_since }, session)
    : null;

export const problemOfRefusal = ({ status, reason }: Refusal): Problem =>
  new Problem(status, status === 403 ? 'access.denied' : 'report.state', reason);

/** Throws a Problem with the reason if the caller may not do this with the report. */
export const assertMay = (act: ReportAct, report: StoredReport, session: Session): void => {
  const refusal = refuseReport[act](factsOf(report, session));
  if (refusal) throw problemOfRefusal(refusal);
};
