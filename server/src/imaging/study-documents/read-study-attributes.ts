import { sql } from 'kysely';
import { localStudyTime } from '#core/values/local-time.ts';
import type { Scope } from '#core/access/scope.ts';
import { version } from '#core/values/version.ts';
import { patientElements, studyElements } from '#imaging/studies/study-elements.ts';
import type { StoredStudy } from '#imaging/studies/study-rows.ts';
import type { AboutStudy } from './study-document.ts';

/** Returns the current patient and study data for a document. */
export const aboutStudy = async ({ db, session }: Scope, { id }: Pick<StoredStudy, 'id'>): Promise<AboutStudy> => {
  const row = await db
    .selectFrom('studies as s')
    .innerJoin('patients as p', 'p.id', 's.patient_id')
    .select(['s.patient_name', 's.patient_identifier', 'p.issuer', 'p.gender', 'p.date_of_birth'])
    .select(['s.study_instance_uid', 's.scanner_study_id', 's.accession_number', 's.study_date'])
    .select(['s.is_study_time_known', 's.referring_physician_name'])
    .select(
      sql<string>`case when s.description <> '' then s.description else s.study_description end`.as('description'),
    )
    .where('s.id', '=', id)
    .executeTakeFirstOrThrow();
  const patient = {
    name: row.patient_name,
    patientId: row.patient_identifier,
    issuer: row.issuer,
    sex: row.gender,
    birthDate: row.date_of_birth,
  };
  const study = {
    studyInstanceUid: row.study_instance_uid,
    scannerStudyId: row.scanner_study_id,
    accessionNumber: row.accession_number,
    description: row.description,
    dateTime: localStudyTime(row),
    referringPhysician: row.referring_physician_name,
  };
  return {
    about: { ...patientElements({ patient }), ...studyElements({ study }) },
    studyInstanceUid: row.study_instance_uid,
    institution: session.tenantName,
    softwareVersion: version,
  };
};
