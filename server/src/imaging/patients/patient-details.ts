import { mostStudiesInDetails, type PatientDetails, type PatientIdentifier } from '@radwork/contract/imaging/patients';
import { displayName } from '@radwork/dicom/person-name';
import { sql } from 'kysely';
import { audit } from '#core/audit/audit.ts';
import { localStudyTime } from '#core/values/local-time.ts';
import { orNotFound } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { knowsAllStudies, mayKnowStudy } from '#core/access/study-access.ts';
import { listedPatients, toPatientRow } from '#imaging/patient-records/patient-rows.ts';

/**
 * Returns the IDs of records that refer to a patient. Users with limited access see only the IDs of studies that they
 * may see.
 */
const formerIdentifiersOf = ({ db, session }: Scope, patientId: string): Promise<PatientIdentifier[]> =>
  db
    .selectFrom('patients')
    .select(['patient_id as patientId', 'issuer'])
    .where('merged_into', '=', patientId)
    .where((eb) =>
      eb.or([
        eb.val(knowsAllStudies(session)),
        eb.exists(
          eb
            .selectFrom('studies as s')
            .select('s.id')
            .whereRef('s.named_patient_id', '=', 'patients.id')
            .where('s.deleted_at', 'is', null)
            .where(mayKnowStudy(session, 's.id')),
        ),
      ]),
    )
    .orderBy('patient_id')
    .orderBy('issuer')
    .execute();

const studiesOf = async ({ db, session }: Scope, patientId: string): Promise<PatientDetails['studies']> => {
  const rows = await db
    .selectFrom('studies as s')
    .select(['s.id', 's.study_instance_uid', 's.study_date', 's.is_study_time_known', 's.modality'])
    .select(sql<string>`coalesce(nullif(s.description, ''), s.study_description)`.as('description'))
    .where('s.patient_id', '=', patientId)
    .where('s.deleted_at', 'is', null)
    .where(mayKnowStudy(session, 's.id'))
    .orderBy('s.study_date', 'desc')
    .orderBy('s.id', 'desc')
    .limit(mostStudiesInDetails)
    .execute();
  return rows.map(({ id, study_instance_uid, modality, description, ...row }) => ({
    id,
    studyInstanceUID: study_instance_uid,
    studyDate: localStudyTime(row),
    modality,
    description,
  }));
};

const survivorOf = async ({ db }: Scope, id: string | null): Promise<PatientDetails['mergedInto']> => {
  if (id === null) return null;
  const survivor = await db
    .selectFrom('patients')
    .select(['id', 'patient_name', 'patient_id'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return { id, patientName: displayName(survivor.patient_name), patientId: survivor.patient_id };
};

/** Returns a patient with all details. Throws 404 when the caller may not see the patient. */
export const detailsOf = async (scope: Scope, id: string): Promise<PatientDetails> => {
  const [listedPatient] = await listedPatients(scope, [id]);
  const patient = orNotFound(listedPatient, 'patient');
  return {
    ...toPatientRow(patient),
    revision: patient.revision,
    address: patient.address,
    // Portal accounts do not exist yet, so the access is never active.
    portalAccess: { isActive: false },
    createdDate: patient.created_at,
    lastModifiedDate: patient.updated_at,
    formerIdentifiers: await formerIdentifiersOf(scope, id),
    mergedInto: await survivorOf(scope, patient.merged_into),
    studies: await studiesOf(scope, id),
  };
};

/** Writes to the audit log that the caller viewed a patient. */
export const auditView = (scope: Scope, patientId: string): Promise<void> =>
  audit(scope, 'patient.view', { entity: 'patient', entityId: patientId, patientId });

/** Returns a patient with all details and audits the view. */
export const viewedDetailsOf = async (scope: Scope, id: string): Promise<PatientDetails> => {
  const details = await detailsOf(scope, id);
  await auditView(scope, id);
  return details;
};
