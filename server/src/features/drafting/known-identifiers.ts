import { sql } from 'kysely';
import type { Scope } from '#core/scope.ts';
import type { StoredStudy } from '#features/studies/study-rows.ts';
import { foldedName } from './names-in-text.ts';
import type { KnownIdentifiers } from './withheld.ts';

/** Everything that is stored of the people of a study: its patient, who asked for it, and the numbers of both. */
export const identifiersOfStudy = async ({ db }: Scope, study: StoredStudy): Promise<KnownIdentifiers> => {
  const patient = await db
    .selectFrom('patients')
    .select(['patient_name', 'patient_id', 'address', 'email', 'phone_number'])
    .where('id', '=', study.patient_id)
    .executeTakeFirstOrThrow();
  return {
    names: [
      study.patient_name,
      patient.patient_name,
      study.referring_physician_name,
      study.ordering_physician_name,
      study.performing_technologist_name,
    ],
    values: [
      study.patient_identifier,
      patient.patient_id,
      patient.address,
      patient.email,
      study.accession_number,
      study.order_number,
      study.scanner_study_id,
      study.study_instance_uid,
    ],
    phones: [patient.phone_number, study.referring_physician_phone],
  };
};

/** Of so many patients whose names have a word in common with a text, the names are looked for in it. */
const mostPatients = 5000;

/**
 * For a text of which nobody says whose it is: everything that is stored of patients of the tenant who might be meant
 * by one of its words. Reads all patients; such texts come from other software, and seldom.
 */
export const identifiersIn = async ({ db }: Scope, text: string): Promise<KnownIdentifiers> => {
  const words = foldedName(text);
  const tokens = [...new Set(text.match(/[\p{L}\p{N}][\p{L}\p{N}._/-]*/gu) ?? [])].map((token) =>
    token.replace(/\.$/, ''),
  );
  const patients = await db
    .selectFrom('patients')
    .select(['patient_name', 'patient_id', 'phone_number', 'email'])
    .where(
      sql<boolean>`(regexp_split_to_array(folded_name, '[\\s=^,.;/-]+') && ${words}::text[]
        or patient_id = any(${tokens}::text[]))`,
    )
    .limit(mostPatients)
    .execute();
  return {
    names: patients.map(({ patient_name }) => patient_name),
    values: patients.flatMap(({ patient_id, email }) => [patient_id, email]),
    phones: patients.map(({ phone_number }) => phone_number),
  };
};
