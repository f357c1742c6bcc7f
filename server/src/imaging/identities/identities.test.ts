import { identities } from '@radwork/contract/imaging/identities';
import { studies } from '@radwork/contract/imaging/studies';
import { newUid } from '@radwork/dicom/uid';
import { expect, test } from 'vitest';
import { storeAs } from '#test/archive-calls.ts';
import { identitySteps, maria, openQuestions as open, piotr, studyOf } from '#test/identity-steps.ts';
import { image } from '#test/multipart-upload.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();

const { mixed, decide } = identitySteps(world);

const audited = (person: Person) =>
  person.inScope(async ({ db }) => {
    const rows = await db.selectFrom('audit_entries').select('action').where('action', 'like', 'identity.%').execute();
    return rows.map(({ action }) => action);
  });

test('a study of a second person with the same ID waits in the queue, with both identities', async () => {
  const { admin, study } = await mixed();

  const [question, ...more] = await open(admin);
  const { data } = await admin.send(identities.count);

  expect(more).toEqual([]);
  expect(data.open).toBe(1);
  expect(question).toMatchObject({
    state: 'OPEN',
    contradictions: ['NAME'],
    known: { patientName: 'Alpha, Maria', patientId: 'P-1' },
    said: { patientName: 'Kowalski, Piotr' },
    study: { id: study.id, instanceCount: 1, signedReports: 0 },
  });
  expect(study).toMatchObject({
    patient: { patientName: 'Kowalski, Piotr' },
    identity: { otherName: 'Alpha, Maria', contradictions: ['NAME'] },
  });
});

test('the decision that both records are one person merges them, and an undo separates them', async () => {
  const { admin, study } = await mixed();

  const decided = await decide(admin, 'SAME_PERSON');
  const after = await studyOf(admin, study.studyInstanceUID);
  const undone = await admin.send(identities.undo, { params: { id: decided.data.id } });
  const back = await studyOf(admin, study.studyInstanceUID);

  expect(decided.data).toMatchObject({ state: 'SAME_PERSON' });
  expect(decided.data.undoUntil).not.toBeNull();
  expect(after).toMatchObject({ patient: { patientName: 'Alpha, Maria' }, identity: null });
  expect(undone.data).toMatchObject({ state: 'OPEN', decidedDate: null });
  expect(back).toMatchObject({ patient: { patientName: 'Kowalski, Piotr' }, identity: { otherName: 'Alpha, Maria' } });
  expect(await audited(admin)).toEqual(expect.arrayContaining(['identity.open', 'identity.decide', 'identity.undo']));
});

test('after a decision that two records are one person, they raise no further question', async () => {
  const { admin } = await mixed();
  await decide(admin, 'SAME_PERSON');
  const StudyInstanceUID = newUid();
  await storeAs(admin, image({ ...piotr, StudyInstanceUID }));

  expect(await studyOf(admin, StudyInstanceUID)).toMatchObject({
    patient: { patientName: 'Alpha, Maria' },
    identity: null,
  });
});

test('a decision for two people separates records and studies, and an undo reopens the question', async () => {
  const { admin, study } = await mixed();

  const decided = await decide(admin, 'ANOTHER_PERSON');
  const StudyInstanceUID = newUid();
  await storeAs(admin, image({ ...piotr, StudyInstanceUID }));
  const further = await studyOf(admin, StudyInstanceUID);
  await admin.send(identities.undo, { params: { id: decided.data.id } });

  expect(further).toMatchObject({ patient: { id: study.patient.id }, identity: null });
  expect((await open(admin)).map((one) => one.study.id)).toEqual([study.id]);
});

test('the decision to send a study back deletes the study, and an undo restores it', async () => {
  const { admin, study } = await mixed();

  const decided = await decide(admin, 'SENT_BACK');
  const gone = await admin.send(studies.get, { params: { id: study.id } });
  await admin.send(identities.undo, { params: { id: decided.data.id } });
  const back = await admin.send(studies.get, { params: { id: study.id } });

  expect([decided.data.state, gone.status, back.status]).toEqual(['SENT_BACK', 404, 200]);
  expect(await open(admin)).toHaveLength(1);
});

test('if the decision separates two people, the images move with their study to a new patient', async () => {
  const admin = await world.signIn('ADMIN');
  const StudyInstanceUID = newUid();
  await storeAs(admin, image({ ...maria, StudyInstanceUID }));
  await storeAs(admin, image({ ...piotr, StudyInstanceUID }));
  const marked = await studyOf(admin, StudyInstanceUID);
  const decided = await decide(admin, 'ANOTHER_PERSON');

  expect(marked).toMatchObject({
    patient: { patientName: 'Alpha, Maria' },
    identity: { otherName: 'Kowalski, Piotr' },
  });
  expect(decided.data).toMatchObject({ state: 'ANOTHER_PERSON' });
  expect(await studyOf(admin, StudyInstanceUID)).toMatchObject({
    patient: { patientName: 'Kowalski, Piotr' },
    identity: null,
  });
});

test('accepts a decision only once and only for the current revision of the study', async () => {
  const { admin } = await mixed();
  const [question] = await open(admin);
  const params = { id: question?.id ?? '' };
  const body = { decision: 'SAME_PERSON' as const, studyRevision: question?.study.revision ?? 0 };

  const stale = await admin.send(identities.decide, {
    params,
    body: { ...body, studyRevision: body.studyRevision - 1 },
  });
  await admin.send(identities.decide, { params, body });
  const twice = await admin.send(identities.decide, { params, body });

  expect([stale.status, twice.status]).toEqual([409, 409]);
});
