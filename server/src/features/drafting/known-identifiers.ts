import type { Scope } from '#core/scope.ts';
import type { StoredStudy } from '#features/studies/study-rows.ts';
import type { KnownIdentifiers } from './withheld.ts';

/** Everything that is stored of the people of a study: its patient, who asked for it, and the numbers of both. */
export const identifiersOfStudy = async ({ db }: Scope, study: StoredStudy): Promise<KnownIdentifiers> => {
  const patient = await db
    .selectFrom('patients')
    .select(['patient_name', 'patient_id', 'address', 'email', 'phone_number', 'date_of_birth'])
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
    birthDates: [patient.date_of_birth, study.patient_date_of_birth].filter((date) => date !== null),
  };
};
