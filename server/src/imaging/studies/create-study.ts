import { t } from '@radwork/contract/core/translate';
import type { Body } from '@radwork/contract/core/endpoint';
import type { studies as endpoints } from '@radwork/contract/imaging/studies';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { newUid } from '@radwork/dicom/uid';
import { sql } from 'kysely';
import { announce } from '#core/live/announce.ts';
import { audit } from '#core/audit/audit.ts';
import { newId } from '#core/values/ids.ts';
import { invalid } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { refuseWithoutGroup } from '#core/access/refuse-limited.ts';
import { admitCreator } from '#core/access/study-access.ts';
import { newAccessionNumber, refuseTakenAccessionNumber } from './accession-numbers.ts';
import { patientToRegister } from './patient-to-register.ts';
import { columnsOf } from './study-changes.ts';
import { detailsOf } from './study-details.ts';
import { studyById } from './study-rows.ts';

type Registration = Body<typeof endpoints.create>;

/**
 * Registers a study without images, for an existing or a new patient. Images with its StudyInstanceUID join it later
 * and fill empty fields. Throws 422 at the field for an accession number or UID that is already used, and for a new
 * patient who already exists.
 */
export const create = async (scope: Scope, registration: Registration): Promise<StudyDetails> => {
  refuseWithoutGroup(scope.session);
  const patient = await patientToRegister(scope, registration);
  const id = newId();
  const inserted = await scope.db
    .insertInto('studies')
    .values({
      ...columnsOf(registration),
      id,
      patient_id: patient.id,
      named_patient_id: patient.named,
      patient_name: patient.patient_name,
      patient_identifier: patient.patient_id,
      study_instance_uid: registration.studyInstanceUID || newUid(),
      study_date: registration.studyDate || nowIn(scope),
      is_date_presumed: !registration.studyDate,
      modality: registration.modality,
      modalities: [registration.modality],
      accession_number: await accessionNumberOf(scope, registration),
      // now() is the start of the transaction. It could be earlier than a merge for which this transaction waited
      // (imaging/archive/index/index-batch.ts).
      created_at: sql<string>`clock_timestamp()`,
    })
    .onConflict((same) => same.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!inserted) throw invalid({ studyInstanceUID: t`A study with this UID already exists` });
  await admitCreator(scope, [id]);
  await audit(scope, 'study.create', { entity: 'study', entityId: id, studyId: id, patientId: patient.id });
  await announce(scope, { kind: 'study', studyId: id });
  return detailsOf(scope, await studyById(scope, id));
};

/** Current local time of the tenant. */
const nowIn = ({ session }: Scope) => sql<string>`date_trunc('second', now() at time zone ${session.timeZone})`;

const accessionNumberOf = async (scope: Scope, { accessionNumber }: Registration): Promise<string> => {
  if (!accessionNumber) return newAccessionNumber(scope);
  await refuseTakenAccessionNumber(scope, accessionNumber);
  return accessionNumber;
};
