import { patients } from '@radwork/contract/imaging/patients';
import { studies } from '@radwork/contract/imaging/studies';
import { search } from '@radwork/contract/insight/search';
import { reports } from '@radwork/contract/reading/reports';
import { expect, test } from 'vitest';
import { storeAs } from '#test/archive-calls.ts';
import { limitToNewGroup } from '#test/limited-user.ts';
import { detailsOf, jane, merge } from '#test/merge-steps.ts';
import { image } from '#test/multipart-upload.ts';
import { beginReport } from '#test/report-steps.ts';
import { createWorld, type Person } from '#test/world.ts';
import { recordWithId } from '#imaging/patient-records/patient-changes.ts';

const world = await createWorld();

/** Creates an administrator, and the patient Jane with one study. */
const janeOnRecord = async () => {
  const person = await world.signIn('ADMIN');
  await storeAs(person, image(jane));
  return person;
};

const renumber = async (person: Person, from: string, to: string, isFormerIdKept = true) => {
  const { dateOfBirth, ...patient } = await detailsOf(person, from);
  const body = { ...patient, dateOfBirth: dateOfBirth ?? '', patientId: to, isFormerIdKept };
  return person.send(patients.update, { params: { id: patient.id }, body });
};

test('while images under a former ID are being stored, the patient cannot take back that ID', async () => {
  const person = await janeOnRecord();
  await renumber(person, 'JANE-1', 'JANE-2');
  const former = await detailsOf(person, 'JANE-1');

  const meanwhile = await person.inScope(async ({ db }) => {
    await db.selectFrom('patients').select('id').where('id', '=', former.id).forShare().execute();
    return renumber(person, 'JANE-2', 'JANE-1');
  });
  const afterwards = await renumber(person, 'JANE-2', 'JANE-1');

  expect(meanwhile).toMatchObject({ status: 409, error: 'patient.busy' });
  expect(afterwards).toMatchObject({ status: 200, data: { patientId: 'JANE-1', studyCount: 1 } });
});

test('uploads of organizations that use the same ID do not wait for each other', async () => {
  const [person, stranger] = [await janeOnRecord(), await janeOnRecord()];

  const answer = await stranger.inScope(async (scope) => {
    await recordWithId(scope, { patient_id: 'JANE-9', issuer: '' });
    return renumber(person, 'JANE-1', 'JANE-9');
  });

  expect(answer.status).toBe(200);
});

const xaver = { PatientID: 'JANE-1', PatientName: 'Young^Xaver', PatientBirthDate: '19400203', PatientSex: 'M' };

test('if a former ID was a typing error, it is free, and images under that ID belong to their real patient', async () => {
  const person = await janeOnRecord();

  await renumber(person, 'JANE-1', 'JANE-2', false);
  await storeAs(person, image(xaver));

  expect(await detailsOf(person, 'JANE-2')).toMatchObject({ formerIdentifiers: [], studyCount: 1 });
  expect(await detailsOf(person, 'JANE-1')).toMatchObject({ patientName: 'Young, Xaver', studyCount: 1 });
});

test('an administrator can later release a former ID that was a mistake', async () => {
  const person = await janeOnRecord();
  await renumber(person, 'JANE-1', 'JANE-2');
  const { id } = await detailsOf(person, 'JANE-2');
  const former = { patientId: 'JANE-1', issuer: '' };

  const released = await person.send(patients.releaseFormerId, { params: { id }, body: former });
  const again = await person.send(patients.releaseFormerId, { params: { id }, body: former });
  await storeAs(person, image(xaver));

  expect(released).toMatchObject({ status: 200, data: { patientId: 'JANE-2', formerIdentifiers: [] } });
  expect(again).toMatchObject({ status: 409, error: 'patient.no_former_id' });
  expect(await detailsOf(person, 'JANE-1')).toMatchObject({ patientName: 'Young, Xaver' });
});

test('undoing a merge releases the ID of the merged record', async () => {
  const person = await janeOnRecord();
  await storeAs(person, image({ ...jane, PatientID: 'JANE-7' }));
  const [survivor, source] = [await detailsOf(person, 'JANE-1'), await detailsOf(person, 'JANE-7')];
  await merge({ person, survivor, source });

  const released = await person.send(patients.releaseFormerId, {
    params: { id: survivor.id },
    body: { patientId: 'JANE-7', issuer: '' },
  });

  expect(released).toMatchObject({ status: 409, error: 'patient.id_of_merge' });
  expect(await detailsOf(person, 'JANE-1')).toMatchObject({ formerIdentifiers: [{ patientId: 'JANE-7' }] });
});

test('study list, report list and search find a patient by the ID of a merged record', async () => {
  const person = await janeOnRecord();
  await storeAs(person, image({ ...jane, PatientID: 'OLD-7', StudyDescription: 'Chest' }));
  const [survivor, source] = [await detailsOf(person, 'JANE-1'), await detailsOf(person, 'OLD-7')];
  await merge({ person, survivor, source });

  const ofStranger = await (await janeOnRecord()).send(studies.search, { query: { query: 'OLD-7' } });
  const searchResult = await person.send(studies.search, { query: { query: 'OLD-7' } });
  const radiologist = await world.signIn('RADIOLOGIST', person.tenant);
  await beginReport(radiologist, searchResult.data.content[0]?.id ?? '');
  const reported = await radiologist.send(reports.list, { query: { query: 'OLD-7' } });
  const filtered = await person.send(studies.search, { query: { query: 'OLD-7', modality: 'XX' } });
  const everywhere = await radiologist.send(search.everywhere, { query: { q: 'OLD-7' } });

  expect(ofStranger.data.totalElements).toBe(0);
  expect(searchResult.data).toMatchObject({
    totalElements: 2,
    content: [{ patient: { id: survivor.id } }, { patient: { id: survivor.id } }],
  });
  expect(reported.data.totalElements).toBe(1);
  expect(filtered.data.totalElements).toBe(0);
  expect(everywhere.data).toMatchObject({ studies: [{}, {}], patients: [{ patientId: 'JANE-1' }], reports: [{}] });
});

test('a limited user who gives a patient the ID of a hidden record gets a conflict that does not name the record', async () => {
  const admin = await janeOnRecord();
  const reader = await world.signIn('RADIOLOGIST', admin.tenant);
  await limitToNewGroup(world, reader);
  const body = { patientName: 'New^Patient', patientId: 'NEW-1', gender: 'F', dateOfBirth: '1980-01-01' };
  await reader.send(patients.create, { body });

  const answer = await renumber(reader, 'NEW-1', 'JANE-1');

  expect(answer).toMatchObject({ status: 409, error: 'patient.id_taken' });
  expect(JSON.stringify(answer)).not.toContain('Jane');
});
