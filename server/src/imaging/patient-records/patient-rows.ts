import { t } from '@radwork/contract/core/translate';
import type { PatientRow } from '@radwork/contract/imaging/patients';
import { priorities, type Priority } from '@radwork/contract/core/priorities';
import { displayName } from '@radwork/dicom/person-name';
import { type Selectable, sql } from 'kysely';
import { localStudyTime } from '#core/values/local-time.ts';
import { conflict, orNotFound } from '#core/http/problem.ts';
import type { Patients } from '#core/database/schema.ts';
import type { Scope } from '#core/access/scope.ts';
import { mayKnowPatient, mayKnowStudy } from '#core/access/study-access.ts';
import { markOfPatient, type StoredMark, toMark } from '#imaging/identity-marks/identity-marks.ts';

export type StoredPatient = Selectable<Patients>;

/** Summary of the visible studies of a patient in a list. */
type StudyFacts = {
  study_count: number;
  last_study_date: string | null;
  is_last_time_known: boolean | null;
  priority: Priority | null;
};

export type ListedPatient = StoredPatient & StudyFacts & { identity: StoredMark | null };

const knownPatients = ({ db, session }: Scope) =>
  db.selectFrom('patients as p').selectAll('p').where(mayKnowPatient(session, 'p.id'));

/** Returns the patient with this row id. Throws 404 when the caller may not see the patient. */
export const patientById = async (scope: Scope, id: string): Promise<StoredPatient> =>
  orNotFound(await knownPatients(scope).where('p.id', '=', id).executeTakeFirst(), 'patient');

/** Returns the patient like `patientById`. The patient cannot be merged before the transaction ends. */
export const patientToReceive = async (scope: Scope, id: string): Promise<StoredPatient> =>
  orNotFound(await knownPatients(scope).where('p.id', '=', id).forShare('p').executeTakeFirst(), 'patient');

/**
 * Returns the patient with this row id and locks the row until the transaction ends. Throws 404 when the caller may not
 * see the patient, and 409 when the patient was merged.
 */
export const patientToChange = async (scope: Scope, id: string): Promise<StoredPatient> => {
  const patient = orNotFound(
    await knownPatients(scope).where('p.id', '=', id).forNoKeyUpdate('p').executeTakeFirst(),
    'patient',
  );
  if (patient.merged_into !== null) {
    throw conflict('patient.merged', t`This patient was merged into another patient. Edit that patient instead.`);
  }
  return patient;
};

const openStatuses = sql`('PENDING', 'ASSIGNED', 'IN_PROGRESS')`;
const byUrgency = sql`array[${sql.join(priorities.map((priority) => sql.lit(priority)))}]`;

/** Returns these patients with a summary of their visible studies, in the order of the ids. */
export const listedPatients = async (scope: Scope, ids: readonly string[]): Promise<ListedPatient[]> => {
  if (ids.length === 0) return [];
  const facts = sql<StudyFacts>`(
    select count(*)::int as study_count, max(s.study_date) as last_study_date,
           (array_agg(s.is_study_time_known order by s.study_date desc))[1] as is_last_time_known,
           (${byUrgency})[min(array_position(${byUrgency}, s.priority)) filter (where s.status in ${openStatuses})]
             as priority
    from studies s
    where s.patient_id = p.id and s.deleted_at is null and ${mayKnowStudy(scope.session, 's.id')})`;
  const rows = await knownPatients(scope)
    .innerJoinLateral(facts.as('facts'), (join) => join.onTrue())
    .select(['facts.study_count', 'facts.last_study_date', 'facts.is_last_time_known', 'facts.priority'])
    .select(markOfPatient(scope.session, 'p.id').as('identity'))
    .where('p.id', 'in', ids)
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
};

/** Converts a patient to a row of a list. */
export const toPatientRow = (patient: ListedPatient): PatientRow => ({
  id: patient.id,
  patientId: patient.patient_id,
  issuer: patient.issuer,
  patientName: displayName(patient.patient_name),
  gender: patient.gender,
  dateOfBirth: patient.date_of_birth,
  phoneNumber: patient.phone_number,
  email: patient.email,
  studyCount: patient.study_count,
  lastStudyDate: localStudyTime({
    study_date: patient.last_study_date,
    is_study_time_known: patient.is_last_time_known,
  }),
  priority: patient.priority,
  identity: toMark(patient.identity),
});
