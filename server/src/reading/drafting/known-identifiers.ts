import type { Scope } from '#core/access/scope.ts';
import type { StoredStudy } from '#imaging/studies/study-rows.ts';
import { identitiesOfStudy } from './former-identities.ts';
import type { KnownIdentifiers } from './withhold-identifiers.ts';

/**
 * Returns the stored identifiers of everyone connected with a study: its current and former patients and its
 * physicians. A text that was begun before a study was moved may still contain the name of the former patient.
 */
export const identifiersOfStudy = async (scope: Scope, study: StoredStudy): Promise<KnownIdentifiers> => {
  const records = await identitiesOfStudy(scope, study);
  return {
    names: [
      study.patient_name,
      // The names of the other person, if an identity question is open. The patient records may not contain them.
      study.identity_names,
      ...records.map(({ patient_name }) => patient_name ?? ''),
      study.referring_physician_name,
      study.ordering_physician_name,
      study.performing_technologist_name,
    ],
    values: [
      study.patient_identifier,
      ...records.flatMap(({ patient_id, address, email }) => [patient_id ?? '', address ?? '', email ?? '']),
      study.accession_number,
      study.order_number,
      study.scanner_study_id,
      study.study_instance_uid,
    ],
    phones: [...records.map(({ phone_number }) => phone_number ?? ''), study.referring_physician_phone],
    birthDates: [...records.map(({ date_of_birth }) => date_of_birth), study.patient_date_of_birth].filter(
      (date) => typeof date === 'string',
    ),
  };
};
