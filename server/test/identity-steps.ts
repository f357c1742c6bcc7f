import { identities, type IdentityDecision } from '@radwork/contract/imaging/identities';
import { studies } from '@radwork/contract/imaging/studies';
import { newUid } from '@radwork/dicom/uid';
import { storeAs } from './archive-calls.ts';
import { image } from './multipart-upload.ts';
import type { Person, World } from './world.ts';

/** Two people whose images came under one PatientID. */
export const maria = { PatientID: 'P-1', PatientName: 'Alpha^Maria', PatientSex: 'F' };
export const piotr = { PatientID: 'P-1', PatientName: 'Kowalski^Piotr' };

export const studyOf = async (person: Person, studyUid: string) =>
  (await person.send(studies.getByUid, { params: { studyUid } })).data;

export const openQuestions = async (person: Person) => (await person.send(identities.list, { query: {} })).data.content;

export const identitySteps = (world: World) => ({
  /**
   * An administrator and a radiologist, a study of the patient with the PatientID, and a study of the second person
   * under the same PatientID.
   */
  mixed: async () => {
    const admin = await world.signIn('ADMIN');
    const radiologist = await world.signIn('RADIOLOGIST', admin.tenant);
    const [knownUid, StudyInstanceUID] = [newUid(), newUid()];
    await storeAs(admin, image({ ...maria, StudyInstanceUID: knownUid }));
    await storeAs(admin, image({ ...piotr, StudyInstanceUID }));
    const [known, study] = [await studyOf(admin, knownUid), await studyOf(admin, StudyInstanceUID)];
    return { admin, radiologist, known, study };
  },

  decide: async (person: Person, decision: IdentityDecision) => {
    const [question] = await openQuestions(person);
    return person.send(identities.decide, {
      params: { id: question?.id ?? '' },
      body: { decision, studyRevision: question?.study.revision ?? 0 },
    });
  },
});
