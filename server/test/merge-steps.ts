import { patientMerges } from '@radwork/contract/imaging/patient-merges';
import { patients } from '@radwork/contract/imaging/patients';
import { storeAs } from './archive-calls.ts';
import { image } from './multipart-upload.ts';
import type { Person, World } from './world.ts';

export const jane = { PatientID: 'JANE-1', PatientName: 'Doe^Jane', PatientBirthDate: '19610430', PatientSex: 'F' };
export const janet = {
  PatientID: 'JANET-1',
  PatientName: 'Doe^Janet',
  PatientBirthDate: '19610430',
  PatientSex: 'F',
  PatientAddress: '1 Main St',
};

/** Returns the current details of the patient record with an ID. */
export const detailsOf = async (person: Person, patientId: string) => {
  const row = await person.inScope(({ db }) =>
    db.selectFrom('patients').select('id').where('patient_id', '=', patientId).executeTakeFirstOrThrow(),
  );
  return (await person.send(patients.get, { params: { id: row.id } })).data;
};

/** Creates an administrator and two records: Jane with one study and Janet with two. */
export const twoRecords = async (world: World) => {
  const person = await world.signIn('ADMIN');
  await storeAs(person, image(jane));
  await storeAs(person, image(janet));
  await storeAs(person, image(janet));
  return { person, survivor: await detailsOf(person, 'JANE-1'), source: await detailsOf(person, 'JANET-1') };
};

export type Records = Awaited<ReturnType<typeof twoRecords>>;

/** Merges the source into the survivor, with the revisions that were read before. */
export const merge = ({ person, survivor, source }: Records, body: object = {}) =>
  person.send(patientMerges.merge, {
    params: { id: survivor.id },
    body: { sourceId: source.id, revision: survivor.revision, sourceRevision: source.revision, ...body },
  });

export const undo = (person: Person, id: string, mergeId: string) =>
  person.send(patientMerges.undo, { params: { id, mergeId } });

/** Moves a study from its current patient to another. */
export const move = async (person: Person, studyId: string, toId: string, body: object = {}) => {
  const { data } = await person.send(patientMerges.previewMove, { params: { id: studyId, patientId: toId } });
  return person.send(patientMerges.move, {
    params: { id: toId },
    body: { studyId, studyRevision: data.study.revision, fromId: data.from.id, toRevision: data.to.revision, ...body },
  });
};

/** Returns for each study its patient and the patient named in its files. */
export const filing = (person: Person) =>
  person.inScope(({ db }) =>
    db
      .selectFrom('studies')
      .select(['id', 'patient_id', 'named_patient_id', 'patient_name', 'patient_identifier'])
      .orderBy('id')
      .execute(),
  );
