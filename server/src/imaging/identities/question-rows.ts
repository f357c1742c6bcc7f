import type { IdentityField, IdentityQuestion } from '@radwork/contract/imaging/identities';
import { undoDays } from '@radwork/contract/imaging/patient-merges';
import { displayName } from '@radwork/dicom/person-name';
import { sql } from 'kysely';
import { localStudyTime } from '#core/values/local-time.ts';
import { orNotFound } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { mayKnowStudy } from '#core/access/study-access.ts';

/** Selects the questions about studies of which the caller may know. */
export const knownQuestions = ({ db, session }: Scope) =>
  db
    .selectFrom('identity_questions as q')
    .innerJoin('studies as s', 's.id', 'q.study_id')
    .where(mayKnowStudy(session, 's.id'));

export const storedQuestions = (scope: Scope) =>
  knownQuestions(scope)
    .innerJoin('patients as known', 'known.id', 'q.known_patient_id')
    .leftJoin('users as decider', 'decider.id', 'q.decided_by')
    .selectAll('q')
    .select([
      'known.patient_name as known_name',
      'known.patient_id as known_identifier',
      'known.issuer as known_issuer',
    ])
    .select(['known.gender as known_gender', 'known.date_of_birth as known_birth'])
    .select(['s.revision as study_revision', 's.modality', 's.study_date', 's.accession_number', 's.instance_count'])
    .select('s.is_study_time_known')
    .select(['s.patient_id as filed_under', 's.deleted_at as study_deleted_at'])
    .select(
      sql<string>`case when s.description <> '' then s.description else s.study_description end`.as('description'),
    )
    .select('decider.name as decider_name')
    .select(
      sql<number>`(select count(*)::int from reports r where r.study_id = s.id and r.status = 'FINALIZED')`.as(
        'signed_reports',
      ),
    )
    .select(sql<string | null>`q.decided_at + make_interval(days => ${undoDays})`.as('undo_until'))
    .select(sql<boolean>`coalesce(q.decided_at + make_interval(days => ${undoDays}) > now(), false)`.as('is_in_time'));

export type StoredQuestion = Awaited<ReturnType<ReturnType<typeof storedQuestions>['execute']>>[number];

/** Returns the question with this id. Throws 404 if the caller may not know of the study. */
export const questionById = async (scope: Scope, id: string): Promise<StoredQuestion> =>
  orNotFound(await storedQuestions(scope).where('q.id', '=', id).executeTakeFirst(), 'identity');

export const toQuestion = (row: StoredQuestion): IdentityQuestion => ({
  id: row.id,
  state: row.state,
  origin: row.origin,
  contradictions: row.contradictions as IdentityField[],
  known: {
    id: row.known_patient_id,
    patientName: displayName(row.known_name),
    patientId: row.known_identifier,
    issuer: row.known_issuer,
    gender: row.known_gender,
    dateOfBirth: row.known_birth,
  },
  said: {
    patientName: displayName(row.said_name),
    patientId: row.known_identifier,
    issuer: row.known_issuer,
    gender: row.said_gender,
    dateOfBirth: row.said_birth,
  },
  provisionalPatientId: row.provisional_patient_id,
  study: {
    id: row.study_id,
    revision: row.study_revision,
    description: row.description,
    modality: row.modality,
    studyDate: localStudyTime(row),
    accessionNumber: row.accession_number,
    instanceCount: row.instance_count,
    signedReports: row.signed_reports,
  },
  openedDate: row.opened_at,
  decidedDate: row.decided_at,
  decidedBy: row.decider_name ?? '',
  undoUntil: row.is_in_time ? row.undo_until : null,
});
