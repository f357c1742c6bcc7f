import { patients } from '@radwork/contract/imaging/patients';
import { search } from '@radwork/contract/insight/search';
import { studies } from '@radwork/contract/imaging/studies';
import { studyGroups } from '@radwork/contract/imaging/study-groups';
import { workflow } from '@radwork/contract/reading/workflow';
import { newUid } from '@radwork/dicom/uid';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { systemSession } from '#core/access/scope.ts';
import { newId } from '#core/values/ids.ts';
import { storeInstances } from '#imaging/archive/store/store-instances.ts';
import { addGroup, joinGroup, limitToNewGroup, putInGroups } from '#test/limited-user.ts';
import { image, related } from '#test/multipart-upload.ts';
import { addStudy } from '#test/stored-study.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();

/** Creates a limited reader, an unlimited colleague, and the group of the reader. */
const practice = async () => {
  const colleague = await world.signIn('RADIOLOGIST');
  const reader = await world.signIn('RADIOLOGIST', colleague.tenant);
  return { colleague, reader, tenant: colleague.tenant, groupId: await limitToNewGroup(world, reader) };
};

const groupsOf = async ({ tenant }: Person, studyId: string) =>
  (
    await world.inTenant(tenant, ({ db }) =>
      db.selectFrom('studies').select('group_ids').where('id', '=', studyId).executeTakeFirstOrThrow(),
    )
  ).group_ids.toSorted();

const replace = async (person: Person, id: string, groupIds: string[], more: object = {}) => {
  const { data } = await person.send(studyGroups.list, { params: { id } });
  return person.send(studyGroups.replace, { params: { id }, body: { revision: data.revision, groupIds, ...more } });
};

const statusFor = async (person: Person, id: string) => (await person.send(studies.get, { params: { id } })).status;

const upload = (person: Person, uids: Parameters<typeof image>[0]) =>
  person.request({ method: 'POST', url: '/api/stow-rs/studies', ...related(image(uids).bytes) });

const studyWithUid = (person: Person, uid: string) =>
  world.inTenant(person.tenant, ({ db }) =>
    db.selectFrom('studies').selectAll().where('study_instance_uid', '=', uid).executeTakeFirst(),
  );

test('a user shows a study to a group by hand, and the audit log has the groups before and after', async () => {
  const { colleague, reader, tenant, groupId } = await practice();
  const { id } = await world.inTenant(tenant, (scope) => addStudy(scope));
  const before = await statusFor(reader, id);

  const { status } = await replace(colleague, id, [groupId]);

  expect([before, status, await statusFor(reader, id)]).toEqual([404, 200, 200]);
  const entries = await world.inTenant(tenant, ({ db }) =>
    db.selectFrom('audit_entries').select('detail').where('action', '=', 'study.setGroups').execute(),
  );
  expect(entries).toMatchObject([{ detail: { before: '', after: expect.stringContaining('Group') } }]);
});

test('a limited user adds and removes only own groups of a study, and keeps one of them', async () => {
  const { reader, tenant, groupId } = await practice();
  const second = await addGroup(world, tenant);
  await joinGroup(world, reader, second);
  const other = await addGroup(world, tenant);
  const { id } = await world.inTenant(tenant, (scope) => addStudy(scope, { group_ids: [groupId] }));

  expect(await replace(reader, id, [other])).toMatchObject({ status: 422, errors: [{ field: 'groupIds' }] });
  expect(await replace(reader, id, [groupId, newId()])).toMatchObject({ status: 422 });
  expect(await replace(reader, id, [groupId, other])).toMatchObject({
    status: 422,
    errors: [{ field: 'groupIds', message: 'You can add and remove only your own groups' }],
  });
  expect(await replace(reader, id, [second])).toMatchObject({ status: 200 });
  expect(await groupsOf(reader, id)).toEqual([second]);
  await putInGroups(world, tenant, id, [second, other]);
  expect(await replace(reader, id, [second])).toMatchObject({ status: 422 });
});

test('the second of two changes of the groups of a study is refused', async () => {
  const { colleague, tenant, groupId } = await practice();
  const { id } = await world.inTenant(tenant, (scope) => addStudy(scope));

  const first = await replace(colleague, id, [groupId]);
  const second = await replace(colleague, id, [], { revision: first.data.revision - 1 });

  expect(second).toMatchObject({ status: 409, error: 'study.changed' });
  expect(await groupsOf(colleague, id)).toEqual([groupId]);
});

test('a study keeps the groups by which its assignees see it', async () => {
  const { colleague, reader, tenant, groupId } = await practice();
  const assigned = await addGroup(world, tenant);
  const { id } = await world.inTenant(tenant, (scope) => addStudy(scope, { group_ids: [groupId] }));
  const userIds = [reader.userId];
  await colleague.send(workflow.assign, { params: { id }, body: { userIds, groupIds: [assigned] } });

  const withoutReader = await replace(colleague, id, [assigned]);
  const withoutGroup = await replace(colleague, id, [groupId]);

  expect(withoutReader).toMatchObject({ status: 409, error: 'study.assignee_lost' });
  expect(withoutReader.message).toContain(reader.username);
  expect(withoutGroup).toMatchObject({ status: 409, error: 'study.group_assigned' });
  expect(await groupsOf(colleague, id)).toEqual([groupId, assigned].toSorted());
});

test('lists, counts and searches of a limited user have only studies and patients of own groups', async () => {
  const { colleague, reader, tenant, groupId } = await practice();
  const [shown, hidden] = ['Shown^Patient', 'Hidden^Patient'];
  const add = (patient_name: string, group_ids: string[]) =>
    world.inTenant(tenant, (scope) => addStudy(scope, { group_ids, patient_name, patient: { patient_name } }));
  await add(shown, [groupId]);
  await add(hidden, []);
  await add(hidden, [await addGroup(world, tenant)]);
  const seen = async (person: Person) => {
    const all = await person.send(studies.list);
    const found = await person.send(studies.search, { query: { query: 'patient' } });
    const people = await person.send(patients.list);
    const filtered = { modality: 'CT', status: 'PENDING', sort: 'patientName,asc' };
    const some = await person.send(studies.list, { query: filtered });
    const everywhere = await person.send(search.everywhere, { query: { query: 'patient' } });
    return {
      counts: [all, found, some, people].map(({ data }) => data.totalElements),
      isHiddenShown: JSON.stringify([all, found, some, people, everywhere]).includes('Hidden'),
    };
  };

  expect(await seen(reader)).toEqual({ counts: [1, 1, 1, 1], isHiddenShown: false });
  expect(await seen(colleague)).toEqual({ counts: [3, 3, 3, 3], isHiddenShown: true });
});

test('a study that a limited user creates or uploads belongs to the groups of the user', async () => {
  const { colleague, reader, groupId } = await practice();
  const newPatient = {
    patientName: 'New^Patient',
    patientId: newUid().slice(-12),
    gender: 'F',
    dateOfBirth: '1980-01-01',
  };

  const created = await reader.send(studies.create, { body: { modality: 'CT', newPatient } });
  const uid = newUid();
  const stored = await upload(reader, { StudyInstanceUID: uid, PatientID: newUid().slice(-12) });

  expect([created.status, stored.statusCode]).toEqual([201, 200]);
  const uploaded = await studyWithUid(colleague, uid);
  expect([await groupsOf(reader, created.data.id), uploaded?.group_ids]).toEqual([[groupId], [groupId]]);
  expect(await statusFor(reader, uploaded?.id ?? '')).toBe(200);
});

test('a limited user without a group cannot create a study or a patient, and the message says why', async () => {
  const { reader, tenant } = await practice();
  await world.inTenant(tenant, ({ db }) =>
    db.deleteFrom('group_members').where('user_id', '=', reader.userId).execute(),
  );
  world.context.sessions.forget();
  const newPatient = { patientName: 'New^Patient', patientId: 'N-1', gender: 'F', dateOfBirth: '1980-01-01' };
  const refusal = { status: 403, message: 'You are in no group. Ask an administrator to add you to one.' };

  expect(await reader.send(studies.create, { body: { modality: 'CT', newPatient } })).toMatchObject(refusal);
  expect(await reader.send(patients.create, { body: newPatient })).toMatchObject(refusal);
});

test('an upload that names a hidden patient stays hidden from its limited uploader', async () => {
  const { colleague, reader, tenant } = await practice();
  const PatientID = newUid().slice(-12);
  await world.inTenant(tenant, (scope) => addStudy(scope, { patient: { patient_id: PatientID } }));
  const uid = newUid();

  const stored = await upload(reader, { StudyInstanceUID: uid, PatientID, PatientName: 'Doe^Jane' });

  expect(stored.statusCode).toBeLessThan(300);
  const study = await studyWithUid(colleague, uid);
  expect(study).toMatchObject({ group_ids: [], uploaded_by: reader.userId });
  expect(await statusFor(reader, study?.id ?? '')).toBe(404);
  expect(JSON.stringify((await reader.send(patients.list)).data)).not.toContain(PatientID);
});

test('a file for a study of other groups is refused', async () => {
  const { reader, tenant } = await practice();
  const { uid, id } = await world.inTenant(tenant, (scope) => addStudy(scope));

  const answer = await upload(reader, { StudyInstanceUID: uid });

  expect(answer.statusCode).toBe(409);
  const { instance_count } = await world.inTenant(tenant, ({ db }) =>
    db.selectFrom('studies').select('instance_count').where('id', '=', id).executeTakeFirstOrThrow(),
  );
  expect(instance_count).toBe(1);
});

test('an arriving study gets the groups that list its institution or station, and that of its device', async () => {
  const { colleague, tenant } = await practice();
  const byInstitution = await addGroup(world, tenant, { arrivalNames: ['north clinic'] });
  const byStation = await addGroup(world, tenant, { arrivalNames: ['ct7'] });
  await addGroup(world, tenant, { arrivalNames: ['south clinic'] });
  const ofDevice = await addGroup(world, tenant);
  const uid = newUid();
  const { bytes } = image({ StudyInstanceUID: uid, InstitutionName: 'North Clinic', StationName: 'CT7' });
  const session = { ...systemSession(tenant.id), newStudyGroups: [ofDevice] };

  await storeInstances(world.context, session, [{ name: 'x.dcm', body: Readable.from([bytes]) }]);

  expect((await studyWithUid(colleague, uid))?.group_ids.toSorted()).toEqual(
    [byInstitution, byStation, ofDevice].toSorted(),
  );
});

test('a patient whom a limited user creates is visible to the groups of the user until a study decides', async () => {
  const { colleague, reader, tenant } = await practice();
  const body = { patientName: 'New^Patient', patientId: newUid().slice(-12), gender: 'F', dateOfBirth: '1980-01-01' };
  const { data } = await reader.send(patients.create, { body });
  const shown = async () => (await reader.send(patients.get, { params: { id: data.id } })).status;
  const before = await shown();
  const { data: study } = await colleague.send(studies.create, {
    body: { modality: 'CT', existingPatientId: data.id },
  });

  const after = await shown();
  await putInGroups(world, tenant, study.id, [await addGroup(world, tenant)]);

  expect([before, after, await shown()]).toEqual([200, 404, 404]);
});

test('a limited user who corrects a patient corrects all studies of the patient', async () => {
  const { reader, tenant, groupId } = await practice();
  const { id, patientId } = await world.inTenant(tenant, (scope) =>
    addStudy(scope, { group_ids: [groupId], patient: { gender: 'F', date_of_birth: '1980-01-01' } }),
  );
  const hidden = newId();
  await world.inTenant(tenant, ({ db }) =>
    db
      .insertInto('studies')
      .values({
        id: hidden,
        patient_id: patientId,
        study_instance_uid: newUid(),
        patient_name: 'Doe^Jane',
        patient_identifier: 'x',
      })
      .execute(),
  );
  const { data } = await reader.send(patients.get, { params: { id: patientId } });
  const { patientId: identifier, gender, revision } = data;

  const answer = await reader.send(patients.update, {
    params: { id: patientId },
    body: { patientName: 'Roe^Jane', patientId: identifier, gender, dateOfBirth: data.dateOfBirth, revision },
  });

  expect(answer.status).toBe(200);
  const names = await world.inTenant(tenant, ({ db }) =>
    db.selectFrom('studies').select('patient_name').where('id', 'in', [id, hidden]).execute(),
  );
  expect(names.map(({ patient_name }) => patient_name)).toEqual(['Roe^Jane', 'Roe^Jane']);
});
