import { patientMerges } from '@radwork/contract/imaging/patient-merges';
import { patients } from '@radwork/contract/imaging/patients';
import { studies } from '@radwork/contract/imaging/studies';
import { newUid } from '@radwork/dicom/uid';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Scope } from '#core/access/scope.ts';
import { storeAs } from '#test/archive-calls.ts';
import { detailsOf, filing, merge, move, undo } from '#test/merge-steps.ts';
import { form, image, type TestFile } from '#test/multipart-upload.ts';
import { waitsForLock } from '#test/waits-for-lock.ts';
import { createWorld, type Person } from '#test/world.ts';
import { move as moveIn } from './move-study.ts';
import { undo as undoIn } from './undo-merge.ts';

const world = await createWorld();

/** Creates an administrator and three patients with one study each. The patients differ in everything but sex. */
const threePatients = async () => {
  const person = await world.signIn('ADMIN');
  await storeAs(person, image({ PatientID: 'A', PatientName: 'Aye^A', PatientBirthDate: '19600101', PatientSex: 'F' }));
  await storeAs(person, image({ PatientID: 'B', PatientName: 'Bee^B', PatientBirthDate: '19500101', PatientSex: 'F' }));
  await storeAs(person, image({ PatientID: 'C', PatientName: 'Cee^C', PatientBirthDate: '19700101', PatientSex: 'F' }));
  const at = (patientId: string) => detailsOf(person, patientId);
  const mergeInto = async (survivor: string, source: string, keep: object = {}) => {
    const records = { person, survivor: await at(survivor), source: await at(source) };
    return (await merge(records, { keep, isOnePerson: true })).data;
  };
  return { person, at, mergeInto };
};

/** Returns the ID and name under which each study is filed. */
const filed = async (person: Awaited<ReturnType<typeof threePatients>>['person']) =>
  (await filing(person)).map(({ patient_identifier, patient_name }) => `${patient_identifier} ${patient_name}`);

test('merges that changed the same fields of a patient are undone in reverse order', async () => {
  const { person, at, mergeInto } = await threePatients();
  const before = await filed(person);
  const { id } = await at('B');
  const keep = { patientName: 'source', dateOfBirth: 'source' };
  const first = await mergeInto('B', 'A', keep);
  const second = await mergeInto('B', 'C', keep);

  const tooEarly = await undo(person, id, first.id);
  const inTurn = [await undo(person, id, second.id), await undo(person, id, first.id)];

  expect(tooEarly).toMatchObject({
    status: 409,
    message: 'A later merge changed the same patient data. Undo that merge first.',
  });
  expect(inTurn.map(({ status }) => status)).toEqual([200, 200]);
  expect(await at('B')).toMatchObject({ patientName: 'Bee, B', dateOfBirth: '1950-01-01' });
  expect(await filed(person)).toEqual(before);
});

test('merges that changed different fields of a patient are undone in any order', async () => {
  const { person, at, mergeInto } = await threePatients();
  const { id } = await at('B');
  const first = await mergeInto('B', 'A', { patientName: 'source' });
  const second = await mergeInto('B', 'C', { dateOfBirth: 'source' });

  const answers = [await undo(person, id, first.id), await undo(person, id, second.id)];

  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(await at('B')).toMatchObject({ patientName: 'Bee, B', dateOfBirth: '1950-01-01' });
});

test('refuses to undo a merge while one of its studies is moved to a further patient', async () => {
  const { person, at, mergeInto } = await threePatients();
  const before = await filed(person);
  const [survivor, third] = [await at('B'), await at('C')];
  const study = (await at('A')).studies[0]?.id ?? '';
  const merged = await mergeInto('B', 'A');
  const { data: moved } = await move(person, study, third.id);

  const tooEarly = await undo(person, survivor.id, merged.id);
  const inTurn = [await undo(person, third.id, moved.id), await undo(person, survivor.id, merged.id)];

  const message = 'A study of this merge was moved to another patient later. Undo that move first.';
  expect(tooEarly).toMatchObject({ status: 409, message });
  expect(inTurn.map(({ status }) => status)).toEqual([200, 200]);
  expect(await filed(person)).toEqual(before);
});

test('refuses to undo a merge while a later study under the merged ID is moved to a further patient', async () => {
  const { person, at, mergeInto } = await threePatients();
  const [survivor, third] = [await at('B'), await at('C')];
  const merged = await mergeInto('B', 'A');
  const StudyInstanceUID = '1.2.826.0.1.78';
  await storeAs(
    person,
    image({ PatientID: 'A', PatientName: 'Aye^A', PatientBirthDate: '19600101', StudyInstanceUID }),
  );
  const { data: study } = await person.send(studies.getByUid, { params: { studyUid: StudyInstanceUID } });
  const { data: moved } = await move(person, study.id, third.id);

  const tooEarly = await undo(person, survivor.id, merged.id);
  const inTurn = [await undo(person, third.id, moved.id), await undo(person, survivor.id, merged.id)];

  expect([tooEarly, ...inTurn].map(({ status }) => status)).toEqual([409, 200, 200]);
  expect((await at('A')).studyCount).toBe(2);
});

test('a study of the survivor that was moved does not prevent the undo, and stays with its new patient', async () => {
  const { person, at, mergeInto } = await threePatients();
  const [survivor, third] = [await at('B'), await at('C')];
  const merged = await mergeInto('B', 'A');
  await move(person, survivor.studies[0]?.id ?? '', third.id);

  const answer = await undo(person, survivor.id, merged.id);

  expect(answer.status).toBe(200);
  expect([(await at('A')).studyCount, (await at('B')).studyCount, (await at('C')).studyCount]).toEqual([1, 0, 2]);
});

test('a study registered for the merged record returns to that record with the undo', async () => {
  const { person, at, mergeInto } = await threePatients();
  const [survivor, source] = [await at('B'), await at('A')];
  const merged = await mergeInto('B', 'A');
  await person.send(studies.create, { body: { existingPatientId: source.id, modality: 'CT' } });
  const whileMerged = (await at('B')).studyCount;

  await undo(person, survivor.id, merged.id);

  expect([whileMerged, (await at('A')).studyCount, (await at('B')).studyCount]).toEqual([3, 2, 1]);
});

test('the survivor cannot take a former ID of a merged record, and an undo returns this ID to the record', async () => {
  const { person, at, mergeInto } = await threePatients();
  const renumber = async (patientId: string, to: string) => {
    const { dateOfBirth, ...patient } = await at(patientId);
    const body = { ...patient, dateOfBirth: dateOfBirth ?? '', patientId: to };
    return person.send(patients.update, { params: { id: patient.id }, body });
  };
  await renumber('A', 'A-NEW');
  const merged = await mergeInto('B', 'A-NEW');

  const refused = await renumber('B', 'A');
  await undo(person, (await at('B')).id, merged.id);
  await storeAs(person, image({ PatientID: 'A', PatientName: 'Aye^A', PatientBirthDate: '19600101', PatientSex: 'F' }));

  expect(refused).toMatchObject({ status: 409, message: 'A patient with this ID already exists' });
  expect(await at('A-NEW')).toMatchObject({ studyCount: 2, formerIdentifiers: [{ patientId: 'A', issuer: '' }] });
  expect((await at('B')).studyCount).toBe(1);
});

/** Sends an image while another transaction files the study elsewhere and has not committed. Returns the status. */
const sendWhile = async (person: Person, file: TestFile, filesElsewhere: (scope: Scope) => Promise<unknown>) => {
  const sent = await person.inScope(async (scope) => {
    await filesElsewhere(scope);
    const sending = person.request({ method: 'POST', url: '/api/stow-rs/studies', ...form(file) });
    await Promise.race([sending, waitsForLock(world)]);
    return { sending };
  });
  return (await sent.sending).statusCode;
};

/** Returns the audit entry of the last upload. */
const storedFor = (person: Person) =>
  person.inScope(({ db }) =>
    db
      .selectFrom('audit_entries')
      .select(['patient_id', 'detail'])
      .where('action', '=', 'study.store')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst(),
  );

test('an image that arrives during a move does not remain in a study of another patient', async () => {
  const { person, at } = await threePatients();
  const [a, b] = [await at('A'), await at('B')];
  const [study] = a.studies;
  const { data: moved } = await move(person, study?.id ?? '', b.id);
  const ofB = { PatientID: 'B', PatientName: 'Bee^B', PatientBirthDate: '19500101', PatientSex: 'F' };
  const file = image({ ...ofB, StudyInstanceUID: study?.studyInstanceUID });

  const status = await sendWhile(person, file, (scope) => undoIn(scope, b.id, moved.id));

  expect(status).toBe(409);
  expect((await at('A')).studies.map(({ id }) => id)).toEqual([study?.id]);
  const { data } = await person.send(studies.get, { params: { id: study?.id ?? '' } });
  expect([data.patient.patientId, data.instanceCount]).toEqual(['A', 1]);
});

test('if an image arrives during a move, it is audited for the new patient', async () => {
  const { person, at } = await threePatients();
  const [a, b] = [await at('A'), await at('B')];
  const [study] = a.studies;
  const { data } = await person.send(patientMerges.previewMove, {
    params: { id: study?.id ?? '', patientId: b.id },
  });
  const body = { studyId: data.study.id, studyRevision: data.study.revision, fromId: a.id, toRevision: b.revision };
  const ofA = { PatientID: 'A', PatientName: 'Aye^A', PatientBirthDate: '19600101', PatientSex: 'F' };
  const file = image({ ...ofA, StudyInstanceUID: study?.studyInstanceUID });

  const status = await sendWhile(person, file, (scope) => moveIn(scope, b.id, { ...body, confirmedName: '' }));

  expect(status).toBe(200);
  expect(await storedFor(person)).toEqual({ patient_id: b.id, detail: { namesOtherRecord: true } });
});

test('when a merge is undone, a study that arrived under the old ID during the merge returns to its record', async () => {
  const { person, at, mergeInto } = await threePatients();
  const StudyInstanceUID = newUid();
  const ofA = { PatientID: 'A', PatientName: 'Aye^A', PatientBirthDate: '19600101', PatientSex: 'F' };

  const { sending, merged } = await person.inScope(async ({ db }) => {
    // Holds the lock that an upload of the same study takes, so that this upload waits.
    const name = `${person.tenant.id} ${StudyInstanceUID}`;
    await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(db);
    const file = image({ ...ofA, StudyInstanceUID });
    const sending = person.request({ method: 'POST', url: '/api/stow-rs/studies', ...form(file) });
    const hasBegun = { sending, merged: waitsForLock(world).then(() => mergeInto('B', 'A')) };
    await hasBegun.merged;
    return hasBegun;
  });
  const whileMerged = [(await sending).statusCode, ...(await filed(person))];
  await undo(person, (await at('B')).id, (await merged).id);

  expect(whileMerged).toEqual([200, ...Array(2).fill('B Bee^B'), 'C Cee^C', 'B Bee^B']);
  expect((await filed(person)).toSorted()).toEqual(['A Aye^A', 'A Aye^A', 'B Bee^B', 'C Cee^C']);
});
