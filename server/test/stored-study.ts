import { gzipSync } from 'node:zlib';
import type { DicomJson } from '@radwork/dicom/dataset';
import { uidFrom } from '@radwork/dicom/uid';
import type { Insertable } from 'kysely';
import { newId } from '#core/values/ids.ts';
import type { Patients, Studies } from '#core/database/schema.ts';
import type { Scope } from '#core/access/scope.ts';

type StudyOverrides = Partial<Insertable<Studies>> & {
  patient?: Partial<Insertable<Patients>>;
  /** The modality of each series; also the modalities of the study. */
  seriesModalities?: string[];
  /** The header of every instance. */
  header?: DicomJson;
};

/** Adds a study to the database as an upload would, without files: one instance in each series. */
export const addStudy = async (
  scope: Scope,
  overrides: StudyOverrides = {},
): Promise<{ id: string; patientId: string; uid: string }> => {
  const { patient, seriesModalities = ['CT'], header = {}, ...columns } = overrides;
  const id = newId();
  const uid = uidFrom('test', id);
  const person = {
    id: newId(),
    patient_id: `P-${id.slice(-8)}`,
    patient_name: 'Doe^Jane',
    ...patient,
  };
  await scope.db
    .insertInto('patients')
    .values(person)
    .onConflict((known) => known.doNothing())
    .execute();
  await scope.db
    .insertInto('studies')
    .values({
      id,
      patient_id: person.id,
      study_instance_uid: uid,
      study_date: '2026-11-20T09:30:00',
      patient_name: person.patient_name,
      patient_identifier: person.patient_id,
      modality: seriesModalities[0] ?? 'OT',
      modalities: seriesModalities,
      series_count: seriesModalities.length,
      instance_count: seriesModalities.length,
      ...columns,
    })
    .execute();
  for (const [index, modality] of seriesModalities.entries()) await addSeries(scope, id, index + 1, modality, header);
  return { id, patientId: person.id, uid };
};

const addSeries = async ({ db }: Scope, studyId: string, number: number, modality: string, header: DicomJson) => {
  const seriesId = newId();
  await db
    .insertInto('series')
    .values({
      id: seriesId,
      study_id: studyId,
      series_instance_uid: uidFrom('test', seriesId),
      series_number: number,
      series_description: `Series ${number}`,
      modality,
      body_part_examined: 'CHEST',
      instance_count: 1,
    })
    .execute();
  const instanceId = newId();
  await db
    .insertInto('instances')
    .values({
      id: instanceId,
      study_id: studyId,
      series_id: seriesId,
      sop_instance_uid: uidFrom('test', instanceId),
      sop_class_uid: '1.2.840.10008.5.1.4.1.1.2',
      instance_number: 1,
      transfer_syntax_uid: '1.2.840.10008.1.2.1',
      is_renderable: true,
      number_of_frames: 1,
      sha256: Buffer.alloc(32),
      size: 0,
      metadata: gzipSync(JSON.stringify(header)),
    })
    .execute();
};
