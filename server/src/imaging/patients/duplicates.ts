import type { Duplicate, DuplicateReason } from '@radwork/contract/imaging/patient-merges';
import { sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';
import { auditView } from './patient-details.ts';
import { contradictionsOf } from './patient-fields.ts';
import {
  type ListedPatient,
  listedPatients,
  patientById,
  type StoredPatient,
  toPatientRow,
} from '#imaging/patient-records/patient-rows.ts';

const mostSuggested = 10;

/** Minimum similarity of two names, as the database measures it. 1 means the same words in any order. */
const alike = 0.5;

type Candidate = { id: string; likeness: number };

/**
 * Suggests records that may be of the same person: equal name, birth date or telephone, and few contradictions. Audits
 * a view of each record.
 */
export const duplicates = async (scope: Scope, id: string): Promise<Duplicate[]> => {
  const patient = await patientById(scope, id);
  if (patient.merged_into !== null) return [];
  const candidates = await candidatesOf(scope, patient);
  const likeness = new Map(candidates.map((candidate) => [candidate.id, candidate.likeness]));
  const records = await listedPatients(
    scope,
    candidates.map((candidate) => candidate.id),
  );
  for (const record of records) await auditView(scope, record.id);
  return records.map((record) => ({
    patient: toPatientRow(record),
    reasons: reasonsFor(patient, record, likeness.get(record.id) ?? 0),
    contradictions: contradictionsOf(patient, record),
  }));
};

/** Finds candidates through indexes of name, birth date and telephone. Only their names are compared for similarity. */
const candidatesOf = async ({ db }: Scope, patient: StoredPatient): Promise<Candidate[]> => {
  const { id, folded_name, date_of_birth, phone_digits, gender } = patient;
  const { rows } = await sql<Candidate>`
    select id, likeness from (
      select p.id, similarity(p.folded_name, ${folded_name}) as likeness,
             p.date_of_birth = ${date_of_birth}::date as is_same_birth,
             p.phone_digits <> '' and p.phone_digits = ${phone_digits} as is_same_phone,
             p.gender <> 'U' and p.gender = ${gender} as is_same_gender
      from patients p
      where p.merged_into is null and p.id <> ${id}
        and (p.folded_name = ${folded_name} and p.folded_name <> '=='
             or p.date_of_birth = ${date_of_birth}::date
             or p.phone_digits = ${phone_digits} and p.phone_digits <> '')) candidate
    where likeness >= ${alike} and (is_same_birth is not false or is_same_phone)
       or is_same_birth and is_same_phone
    order by likeness * 4 + coalesce(is_same_birth, false)::int * 3 + is_same_phone::int * 2 + is_same_gender::int desc,
             id
    limit ${mostSuggested}`.execute(db);
  return rows;
};

const reasonsFor = (one: StoredPatient, other: ListedPatient, likeness: number): DuplicateReason[] => {
  const reasons: DuplicateReason[] = [];
  if (one.folded_name === other.folded_name) reasons.push('SAME_NAME');
  else if (likeness >= alike) reasons.push('SIMILAR_NAME');
  if (one.date_of_birth !== null && one.date_of_birth === other.date_of_birth) reasons.push('SAME_DATE_OF_BIRTH');
  if (one.gender !== 'U' && one.gender === other.gender) reasons.push('SAME_GENDER');
  if (one.phone_digits !== '' && one.phone_digits === other.phone_digits) reasons.push('SAME_PHONE');
  return reasons;
};
