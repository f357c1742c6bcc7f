import { patients } from '@radwork/contract/imaging/patients';
import { reports } from '@radwork/contract/reading/reports';
import { studies } from '@radwork/contract/imaging/studies';
import { expect, test } from 'vitest';
import { newId } from '#core/values/ids.ts';
import { reportSteps, sortedStatuses } from '#test/report-steps.ts';
import { addStudy } from '#test/stored-study.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();
const steps = reportSteps(world);

const form = {
  patientName: 'Doe, Jane',
  patientId: 'MRN-1',
  gender: 'female',
  dateOfBirth: '1961-04-30',
};

const create = async (person: Person, overrides: object = {}) => {
  const { data } = await person.send(patients.create, { body: { ...form, ...overrides } });
  return data;
};

const store = (person: Person, overrides: Parameters<typeof addStudy>[1] = {}) =>
  world.inTenant(person.tenant, (scope) => addStudy(scope, overrides));

const auditOf = (person: Person) =>
  person.inScope(({ db }) =>
    db.selectFrom('audit_entries').select(['action', 'patient_id', 'detail']).orderBy('id').execute(),
  );

test('stores a patient from the form, with the gender as a code', async () => {
  const person = await world.signIn();
  const more = { issuer: 'Hospital A', address: '1 Main St', phoneNumber: '+1 555 0142', email: 'jane@example.org' };

  const { data } = await person.send(patients.create, { body: { ...form, ...more } });

  expect(data).toMatchObject({
    ...form,
    ...more,
    gender: 'F',
    revision: 1,
    studyCount: 0,
    lastStudyDate: null,
    priority: null,
    portalAccess: { isActive: false },
    formerIdentifiers: [],
    mergedInto: null,
    studies: [],
  });
  expect(await auditOf(person)).toEqual([{ action: 'patient.create', patient_id: data.id, detail: null }]);
});

test.each([
  ['patientName', ' ', 'Name is required'],
  ['patientId', '', 'Patient ID is required'],
  ['gender', 'both', 'Gender must be male, female or other'],
  ['dateOfBirth', '', 'Date of birth is required'],
  ['dateOfBirth', '30.04.1961', 'Use a date such as 1961-04-30'],
  ['dateOfBirth', '2999-01-01', 'Date of birth must not be in the future'],
  ['email', 'jane', 'Please enter a valid email'],
  ['email', `${'j'.repeat(250)}@example.org`, 'Please enter a valid email'],
])('refuses a patient form with %s "%s" at that field', async (field, value, message) => {
  const person = await world.signIn();

  const answer = await person.send(patients.create, { body: { ...form, [field]: value } });

  expect(answer).toMatchObject({ status: 422, errors: [{ field, message }] });
});

test('checks for a future birth date by the calendar of the tenant', async () => {
  const ahead = await world.signIn('ADMIN', await world.newTenant({ timeZone: 'Pacific/Kiritimati' }));
  const behind = await world.signIn('ADMIN', await world.newTenant({ timeZone: 'Etc/GMT+12' }));
  // The date in Kiritimati is always later than in the time zone of the other tenant, and at some hours later than in
  // UTC.
  const dateOfBirth = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Pacific/Kiritimati' }).format();
  const known = await create(behind);

  const newborn = await ahead.send(patients.create, { body: { ...form, dateOfBirth } });
  const unborn = await behind.send(patients.create, { body: { ...form, patientId: 'MRN-2', dateOfBirth } });
  const corrected = await behind.send(patients.update, {
    params: { id: known.id },
    body: { ...form, dateOfBirth, revision: 1 },
  });
  const registered = await behind.send(studies.create, {
    body: { newPatient: { ...form, patientId: 'MRN-2', dateOfBirth }, modality: 'CT' },
  });

  const message = 'Date of birth must not be in the future';
  expect(newborn).toMatchObject({ status: 200, data: { dateOfBirth } });
  expect(unborn).toMatchObject({ status: 422, errors: [{ field: 'dateOfBirth', message }] });
  expect(corrected).toMatchObject({ status: 422, errors: [{ field: 'dateOfBirth', message }] });
  expect(registered).toMatchObject({ status: 422, errors: [{ field: 'newPatient.dateOfBirth', message }] });
});

test('reports all errors of a patient form at once', async () => {
  const person = await world.signIn();

  const { errors } = await person.send(patients.create, { body: { email: 'x' } });

  expect(errors?.map(({ field }) => field)).toEqual(['patientName', 'patientId', 'gender', 'dateOfBirth', 'email']);
});

test('refuses a Patient ID that another patient has, and names that patient', async () => {
  const person = await world.signIn();
  const known = await create(person);

  const answer = await person.send(patients.create, { body: { ...form, patientName: 'Roe, Mary' } });

  expect(answer).toMatchObject({ status: 409, message: 'A patient with this ID already exists' });
  expect(answer.errors).toContainEqual({ field: 'existingId', message: known.id });
});

test('the same Patient ID of another issuer or tenant belongs to another person', async () => {
  const person = await world.signIn();
  const stranger = await world.signIn();
  await create(person);

  const otherIssuer = await person.send(patients.create, { body: { ...form, issuer: 'Hospital B' } });
  const otherTenant = await stranger.send(patients.create, { body: form });

  expect([otherIssuer.status, otherTenant.status]).toEqual([200, 200]);
});

test('stores a name in DICOM form and displays it in readable form', async () => {
  const person = await world.signIn();

  const { id, patientName } = await create(person, { patientName: 'Adams, John Robert , B.A.' });

  const stored = await person.inScope(({ db }) =>
    db.selectFrom('patients').select('patient_name').where('id', '=', id).executeTakeFirst(),
  );
  expect(stored).toEqual({ patient_name: 'Adams^John Robert^^^B.A.' });
  expect(patientName).toBe('Adams, John Robert, B.A.');
});

test('a correction changes the studies too, and an unchanged name keeps its form from the files', async () => {
  const person = await world.signIn();
  const study = await store(person, { patient: { patient_name: 'Doe^Jane^^Dr', gender: 'F', date_of_birth: null } });
  const { data: details } = await person.send(patients.get, { params: { id: study.patientId } });

  const { data } = await person.send(patients.update, {
    params: { id: study.patientId },
    body: { ...form, patientName: details.patientName, patientId: details.patientId, revision: 1 },
  });

  expect(data).toMatchObject({ revision: 2, dateOfBirth: '1961-04-30' });
  const stored = await person.inScope(({ db }) =>
    db.selectFrom('studies').select(['patient_name', 'patient_date_of_birth']).executeTakeFirst(),
  );
  expect(stored).toEqual({ patient_name: 'Doe^Jane^^Dr', patient_date_of_birth: '1961-04-30' });
  expect((await auditOf(person)).at(-1)).toMatchObject({
    action: 'patient.update',
    detail: { fields: 'date_of_birth' },
  });
});

test('an unknown birth date may remain unknown, but a known birth date cannot be removed', async () => {
  const person = await world.signIn();
  const { patientId: id } = await store(person, { patient: { patient_id: 'MRN-1', patient_name: 'Doe^Jane' } });
  const send = (revision: number, dateOfBirth: string) =>
    person.send(patients.update, { params: { id }, body: { ...form, dateOfBirth, revision } });

  const unknown = await send(1, '');
  const known = await send(2, '1961-04-30');
  const forgotten = await send(3, '');

  expect(unknown.data.dateOfBirth).toBeNull();
  expect(known.data.dateOfBirth).toBe('1961-04-30');
  expect(forgotten).toMatchObject({
    status: 422,
    errors: [{ field: 'dateOfBirth', message: 'Date of birth is required' }],
  });
});

test('refuses an outdated patient form and names the changes', async () => {
  const person = await world.signIn();
  const { id } = await create(person, { address: '1 Main St' });
  await person.send(patients.update, {
    params: { id },
    body: { ...form, address: '', phoneNumber: '555-1', revision: 1 },
  });

  const answer = await person.send(patients.update, {
    params: { id },
    body: { ...form, address: '1 Main St', gender: 'M', phoneNumber: '555-1', revision: 1 },
  });

  expect(answer).toMatchObject({ status: 409, error: 'patient.changed' });
  expect(answer.errors).toEqual([
    { field: 'gender', message: 'Now "Female"' },
    { field: 'address', message: 'Now empty' },
  ]);
});

test('refuses one of two simultaneous corrections of a patient', async () => {
  const person = await world.signIn();
  const { id } = await create(person);
  const send = (address: string) =>
    person.send(patients.update, { params: { id }, body: { ...form, address, revision: 1 } });

  const answers = await Promise.all([send('1 Main St'), send('2 Main St')]);

  expect(sortedStatuses(answers)).toEqual([200, 409]);
});

test('a search for a former ID finds the patient, and the ID can be given to the same patient again', async () => {
  const person = await world.signIn();
  const { patientId: id } = await store(person, { patient: { patient_id: 'OLD-1', patient_name: 'Doe^Jane' } });
  const send = (patientId: string, revision: number) =>
    person.send(patients.update, { params: { id }, body: { ...form, patientId, revision } });

  const renumbered = await send('NEW-1', 1);
  const refused = await person.send(patients.create, { body: { ...form, patientId: 'OLD-1' } });
  const back = await send('OLD-1', 2);

  expect(renumbered.data).toMatchObject({
    patientId: 'NEW-1',
    formerIdentifiers: [{ patientId: 'OLD-1', issuer: '' }],
  });
  expect(refused.status).toBe(409);
  expect(refused.errors).toContainEqual({ field: 'existingId', message: id });
  expect(back.data).toMatchObject({ patientId: 'OLD-1', formerIdentifiers: [{ patientId: 'NEW-1', issuer: '' }] });
});

test('refuses to change a Patient ID to the ID of another patient', async () => {
  const person = await world.signIn();
  const other = await create(person, { patientId: 'MRN-2' });
  const { id } = await create(person);

  const answer = await person.send(patients.update, {
    params: { id },
    body: { ...form, patientId: 'MRN-2', revision: 1 },
  });

  expect(answer).toMatchObject({ status: 409, message: 'A patient with this ID already exists' });
  expect(answer.errors).toContainEqual({ field: 'existingId', message: other.id });
});

test('deletes a patient without studies, but requires a merge for a patient with studies', async () => {
  const person = await world.signIn();
  const { id } = await create(person);
  const study = await store(person);

  const deleted = await person.send(patients.remove, { params: { id } });
  const refused = await person.send(patients.remove, { params: { id: study.patientId } });

  expect(deleted.status).toBe(200);
  expect((await person.send(patients.get, { params: { id } })).status).toBe(404);
  expect(refused).toMatchObject({
    status: 409,
    message: 'This patient has studies and cannot be deleted. Merge the patient into another patient instead.',
  });
});

test('a study in the recycle bin prevents deletion of its patient', async () => {
  const person = await world.signIn('ADMIN');
  const study = await store(person);
  await person.send(studies.remove, { params: { id: study.id } });

  const answer = await person.send(patients.remove, { params: { id: study.patientId } });

  expect(answer).toMatchObject({ status: 409, message: expect.stringContaining('recycle bin') });
});

test('the details of a patient list the studies, latest first, and the view is audited', async () => {
  const person = await world.signIn();
  const patient = { id: newId(), patient_id: 'MRN-1', patient_name: 'Doe^Jane' };
  const older = await store(person, { patient, study_date: '2025-01-02T08:00:00', priority: 'STAT' });
  const newer = await store(person, { patient, study_date: '2026-01-02T08:00:00', status: 'COMPLETED' });

  const { data } = await person.send(patients.get, { params: { id: patient.id } });

  expect(data.studies.map(({ id }) => id)).toEqual([newer.id, older.id]);
  expect(data).toMatchObject({ studyCount: 2, lastStudyDate: '2026-01-02T08:00:00', priority: 'STAT' });
  expect((await auditOf(person)).at(-1)).toMatchObject({ action: 'patient.view', patient_id: patient.id });
});

test('a patient of another tenant gets the same answer as an unknown patient', async () => {
  const person = await world.signIn();
  const stranger = await world.signIn();
  const { id } = await create(person);

  const elsewhere = await stranger.send(patients.get, { params: { id } });
  const nowhere = await stranger.send(patients.get, { params: { id: newId() } });

  expect({ ...elsewhere, traceId: '' }).toEqual({ ...nowhere, traceId: '' });
  expect(elsewhere).toMatchObject({ status: 404, error: 'patient.not_found' });
});

test('a referring physician sees a patient only through their own studies', async () => {
  const person = await world.signIn();
  const referrer = await world.signIn('REFERRING_PHYSICIAN', person.tenant);
  const patient = { id: newId(), patient_id: 'MRN-1', patient_name: 'Doe^Jane' };
  const visibleStudy = await store(person, { patient, study_date: '2025-01-02T08:00:00' });
  await store(person, { patient, study_date: '2026-01-02T08:00:00', priority: 'STAT' });
  const other = await store(person);
  await steps.participate(referrer, visibleStudy.id, 'REFERRER');

  const { data: list } = await referrer.send(patients.list);
  const { data } = await referrer.send(patients.get, { params: { id: patient.id } });
  const hidden = await referrer.send(patients.get, { params: { id: other.patientId } });

  expect(list.content.map(({ id, studyCount }) => [id, studyCount])).toEqual([[patient.id, 1]]);
  expect(data).toMatchObject({ studyCount: 1, lastStudyDate: '2025-01-02T08:00:00', priority: 'ROUTINE' });
  expect(data.studies.map(({ id }) => id)).toEqual([visibleStudy.id]);
  expect(hidden.status).toBe(404);
});

test('a referring physician no longer sees a patient when the only study is deleted', async () => {
  const person = await world.signIn();
  const referrer = await world.signIn('REFERRING_PHYSICIAN', person.tenant);
  const study = await store(person);
  await steps.participate(referrer, study.id, 'REFERRER');
  const read = () => referrer.send(patients.get, { params: { id: study.patientId } });
  const before = await read();

  await person.inScope(({ db }) =>
    db.updateTable('studies').set({ deleted_at: new Date().toISOString() }).where('id', '=', study.id).execute(),
  );

  expect([before.status, (await read()).status]).toEqual([200, 404]);
});

test('lists the reports of all studies of a patient, without drafts for referring physicians', async () => {
  const person = await world.signIn();
  const referrer = await world.signIn('REFERRING_PHYSICIAN', person.tenant);
  const { study } = await steps.begin(person);
  await steps.participate(referrer, study.id, 'REFERRER');

  const { data } = await person.send(reports.ofPatient, { params: { id: study.patientId } });
  const { data: shared } = await referrer.send(reports.ofPatient, { params: { id: study.patientId } });

  expect(data).toMatchObject([{ studyId: study.id, status: 'DRAFT' }]);
  expect(shared).toEqual([]);
});
