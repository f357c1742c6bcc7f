import { patients } from '@radwork/contract/imaging/patients';
import { studies } from '@radwork/contract/imaging/studies';
import { newUid } from '@radwork/dicom/uid';
import { expect, test } from 'vitest';
import { newId } from '#core/values/ids.ts';
import { storeAs } from '#test/archive-calls.ts';
import { addStudy } from '#test/stored-study.ts';
import { image } from '#test/multipart-upload.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();

const newPatient = (more: object = {}) => ({
  patientName: 'Phantom, Ada',
  patientId: `P-${newId()}`,
  gender: 'Female',
  dateOfBirth: '1961-03-02',
  ...more,
});

const register = (person: Person, more: object = {}) =>
  person.send(studies.create, { body: { modality: 'CT', newPatient: newPatient(), ...more } });

const patientOf = (person: Person) => world.inTenant(person.tenant, (scope) => addStudy(scope));

test('registers a study without images for a new patient, with all fields', async () => {
  const person = await world.signIn();
  const form = {
    description: 'CT angiography chest',
    priority: 'high',
    accessionNumber: 'A-1',
    studyDate: '2026-11-20T14:05',
    clinicalHistory: 'Dyspnoea',
    referringPhysicianName: 'Dr Claire Moreau',
    referringPhysicianPhone: '+1 555 0142',
    orderNumber: 'O-7',
    orderingPhysicianName: 'Dr Ordering',
    procedureCode: 'CTPA',
    procedureDescription: 'CT pulmonary angiography',
    scheduledDateTime: '2026-11-20T14:00',
  };

  const answer = await register(person, form);

  expect(answer).toMatchObject({ status: 201, code: 200 });
  expect(answer.data).toMatchObject({
    description: 'CT angiography chest',
    priority: 'URGENT',
    accessionNumber: 'A-1',
    studyDate: '2026-11-20T14:05:00',
    clinicalHistory: 'Dyspnoea',
    referringPhysicianName: 'Dr Claire Moreau',
    referringPhysicianPhone: '+1 555 0142',
    order: {
      orderNumber: 'O-7',
      orderingPhysician: { username: 'Dr Ordering' },
      procedureCode: 'CTPA',
      procedureDescription: 'CT pulmonary angiography',
      scheduledDateTime: '2026-11-20T14:00:00',
    },
    modality: 'CT',
    modalities: ['CT'],
    status: 'PENDING',
    series: [],
    instanceCount: 0,
    patient: { patientName: 'Phantom, Ada', gender: 'F', dateOfBirth: '1961-03-02' },
  });
  const { data: read } = await person.send(studies.get, { params: { id: answer.data.id } });
  expect(read).toEqual(answer.data);
});

test('a registered study is in the list under its modality, and the archive knows its UID', async () => {
  const person = await world.signIn();
  const { data } = await register(person, { modality: 'US' });

  const list = await person.send(studies.list, { query: { modality: 'US' } });
  const response = await person.send(studies.getByUid, { params: { studyUid: data.studyInstanceUID } });

  expect(list.data.content.map(({ id }) => id)).toEqual([data.id]);
  expect(response.data.id).toBe(data.id);
});

test('a registered study gets the current time, routine priority and an unused number and UID by default', async () => {
  const tenant = await world.newTenant({ timeZone: 'Asia/Tokyo' });
  const person = await world.signIn('RADIOLOGIST', tenant);

  const { data } = await register(person);

  const localTime = new Date().toLocaleString('sv', { timeZone: 'Asia/Tokyo' }).replace(' ', 'T');
  expect(data.priority).toBe('ROUTINE');
  expect(Math.abs(Date.parse(`${data.studyDate}Z`) - Date.parse(`${localTime}Z`))).toBeLessThan(3_600_000);
  expect(data.accessionNumber).toMatch(/^R[\dA-Z]{10}$/);
  expect(data.studyInstanceUID).toMatch(/^2\.25\.\d+$/);
});

test('registers a study for an existing patient', async () => {
  const person = await world.signIn();
  const { patientId: existingPatientId } = await patientOf(person);

  const { data } = await register(person, { newPatient: undefined, existingPatientId });

  expect(data.patient).toMatchObject({ id: existingPatientId, patientName: 'Doe, Jane' });
});

test('registers a study for a merged record under its survivor', async () => {
  const person = await world.signIn();
  const [merged, survivor] = [await patientOf(person), await patientOf(person)];
  await world.inTenant(person.tenant, ({ db }) =>
    db.updateTable('patients').set({ merged_into: survivor.patientId }).where('id', '=', merged.patientId).execute(),
  );

  const { data } = await register(person, { newPatient: undefined, existingPatientId: merged.patientId });

  expect(data.patient.id).toBe(survivor.patientId);
});

test('stores the name of a new patient in DICOM form', async () => {
  const person = await world.signIn();

  const { data } = await register(person);

  const stored = await world.inTenant(person.tenant, ({ db }) =>
    db.selectFrom('patients').select('patient_name').where('id', '=', data.patient.id).executeTakeFirst(),
  );
  expect(stored).toEqual({ patient_name: 'Phantom^Ada' });
});

test('a patient of another tenant gets the same answer as an unknown patient', async () => {
  const person = await world.signIn();
  const stranger = await world.signIn();
  const { patientId } = await patientOf(stranger);

  const answers = await Promise.all(
    [patientId, newId()].map((existingPatientId) => register(person, { newPatient: undefined, existingPatientId })),
  );

  const errors = [{ field: 'existingPatientId', message: expect.stringContaining('no longer exists') }];
  expect(answers).toMatchObject([
    { code: 422, errors },
    { code: 422, errors },
  ]);
});

test('refuses a new patient with an existing Patient ID and creates no study', async () => {
  const person = await world.signIn();
  const patient = newPatient();
  await register(person, { newPatient: patient });

  const answer = await register(person, { newPatient: { ...patient, patientName: 'Somebody, Else' } });

  expect(answer).toMatchObject({ code: 422, errors: [{ field: 'newPatient.patientId' }] });
  const { data } = await person.send(studies.list);
  expect(data.totalElements).toBe(1);
});

test('users who may not edit patients can register studies only for existing patients', async () => {
  const person = await world.signIn();
  const { patientId: existingPatientId } = await patientOf(person);
  const clerk = await world.signIn('RADIOLOGIST', person.tenant);
  await world.inTenant(person.tenant, ({ db }) =>
    db
      .updateTable('roles')
      .set({ permissions: ['study.create', 'study.view'] })
      .where('built_in_for', '=', 'RADIOLOGIST')
      .execute(),
  );
  world.context.sessions.forget();

  const refused = await register(clerk);
  const accepted = await register(clerk, { newPatient: undefined, existingPatientId });

  expect([refused.status, accepted.status]).toEqual([403, 201]);
});

test('simultaneous registrations create one study each, with unique numbers', async () => {
  const person = await world.signIn();

  const answers = await Promise.all(Array.from({ length: 12 }, () => register(person)));

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  expect(new Set(answers.map(({ data }) => data.accessionNumber)).size).toBe(12);
  expect(new Set(answers.map(({ data }) => data.studyInstanceUID)).size).toBe(12);
});

test('only one of several registrations with the same patient, number or UID succeeds', async () => {
  const person = await world.signIn();
  const patient = newPatient();
  const studyInstanceUID = newUid();

  const samePatient = await Promise.all([1, 2, 3].map(() => register(person, { newPatient: patient })));
  const sameNumber = await Promise.all([1, 2, 3].map(() => register(person, { accessionNumber: 'A-1' })));
  const sameUid = await Promise.all([1, 2, 3].map(() => register(person, { studyInstanceUID })));

  for (const [answers, field] of [
    [samePatient, 'newPatient.patientId'],
    [sameNumber, 'accessionNumber'],
    [sameUid, 'studyInstanceUID'],
  ] as const) {
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 422, 422]);
    expect(answers.flatMap(({ errors = [] }) => errors.map((error) => error.field))).toEqual([field, field]);
  }
});

test('two tenants may use the same accession number', async () => {
  const [one, other] = [await world.signIn(), await world.signIn()];
  await register(one, { accessionNumber: 'A-1' });

  const answer = await register(other, { accessionNumber: 'A-1' });

  expect(answer.status).toBe(201);
});

test('reports all errors of a form by field', async () => {
  const person = await world.signIn();

  const answer = await person.send(studies.create, {
    body: {
      newPatient: { patientName: ' ', patientId: 'P', gender: 'F', dateOfBirth: '2999-01-01' },
      studyDate: '2026-02-31T10:00',
      scheduledDateTime: 'tomorrow',
      accessionNumber: 'x'.repeat(65),
      priority: 'whenever',
    },
  });

  expect(answer.code).toBe(422);
  expect(Object.fromEntries(answer.errors?.map(({ field, message }) => [field, message]) ?? [])).toEqual({
    'newPatient.patientName': 'Name is required',
    'newPatient.dateOfBirth': 'Date of birth must not be in the future',
    modality: 'Modality is required',
    studyDate: 'Use a date and time such as 2026-11-21 14:05',
    scheduledDateTime: 'Use a date and time such as 2026-11-21 14:05',
    accessionNumber: 'Accession number is longer than 64 characters',
    priority: 'Priority must be STAT, URGENT or ROUTINE',
  });
});

test('requires either an existing patient or a new patient', async () => {
  const person = await world.signIn();

  const answers = await Promise.all([
    register(person, { newPatient: undefined }),
    register(person, { existingPatientId: newId() }),
  ]);

  const errors = [{ field: 'existingPatientId', message: 'Choose a patient or enter a new patient' }];
  expect(answers).toMatchObject([
    { code: 422, errors },
    { code: 422, errors },
  ]);
});

test('images join a registered study and do not overwrite typed values', async () => {
  const person = await world.signIn();
  const patient = newPatient();
  const { data: registered } = await register(person, {
    newPatient: patient,
    modality: 'US',
    studyDate: '2026-11-20T14:05',
    accessionNumber: 'A-1',
    referringPhysicianName: 'Dr Claire Moreau',
    description: 'Ultrasound of the neck',
    scheduledDateTime: '2026-11-20T14:00',
  });

  await storeAs(
    person,
    image({
      StudyInstanceUID: registered.studyInstanceUID,
      PatientID: patient.patientId,
      PatientName: 'PHANTOM^ADA',
      Modality: 'US',
      StudyDate: '20251231',
      AccessionNumber: 'OTHER',
      ReferringPhysicianName: 'Other^Doctor',
      StudyDescription: 'US NECK',
    }),
  );

  const { data: after } = await person.send(studies.get, { params: { id: registered.id } });
  expect(after).toMatchObject({
    studyDate: '2026-11-20T14:05:00',
    accessionNumber: 'A-1',
    referringPhysicianName: 'Dr Claire Moreau',
    description: 'Ultrasound of the neck',
    order: { scheduledDateTime: '2026-11-20T14:00:00' },
    patient: registered.patient,
    studyDescription: 'US NECK',
    instanceCount: 1,
    seriesCount: 1,
  });
});

test('a registered study without a date takes the date of its first images', async () => {
  const person = await world.signIn();
  const patient = newPatient();
  const { data: registered } = await register(person, { newPatient: patient });
  const { studyInstanceUID: StudyInstanceUID } = registered;
  const file = (more: object) =>
    image({ StudyInstanceUID, PatientID: patient.patientId, PatientName: 'PHANTOM^ADA', ...more });
  const dateAfter = async (more: object) => {
    await storeAs(person, file(more));
    return (await person.send(studies.get, { params: { id: registered.id } })).data.studyDate;
  };

  const dates = [
    await dateAfter({ StudyDate: '', StudyTime: '' }),
    await dateAfter({ StudyDate: '20261231', StudyTime: '081500' }),
    await dateAfter({ StudyDate: '20270101', StudyTime: '090000' }),
  ];

  expect(dates).toEqual([registered.studyDate, '2026-12-31T08:15:00', '2026-12-31T08:15:00']);
});

test('a study without a time shows its day, takes the time of a later image of that day, and sorts by it', async () => {
  const person = await world.signIn();
  const file = (StudyInstanceUID: string, StudyTime: string, StudyDate = '20261231') =>
    image({ StudyInstanceUID, StudyDate, StudyTime, PatientID: StudyInstanceUID });
  const [timeless, later] = [newUid(), newUid()];
  const dates = async () => {
    const { data } = await person.send(studies.list, { query: { sort: 'studyDate,asc' } });
    return data.content.map(({ studyDate }) => studyDate);
  };

  await storeAs(person, file(later, '000001'), file(timeless, '99'));
  const withoutTime = await dates();
  const { data: patientPage } = await person.send(patients.list, { query: { searchQuery: timeless } });
  await storeAs(person, file(timeless, '08', '20270101'));
  const afterOtherDay = await dates();
  await storeAs(person, file(timeless, '1015.5'));

  expect(patientPage.content).toMatchObject([{ lastStudyDate: '2026-12-31', studyCount: 1 }]);
  expect(withoutTime).toEqual(['2026-12-31', '2026-12-31T00:00:01']);
  expect(afterOtherDay).toEqual(withoutTime);
  expect(await dates()).toEqual(['2026-12-31T00:00:01', '2026-12-31T10:15:00']);
});

test('images of another patient do not join a registered study', async () => {
  const person = await world.signIn();
  const { data: registered } = await register(person);

  const stored = storeAs(person, image({ StudyInstanceUID: registered.studyInstanceUID, PatientID: 'SOMEBODY-ELSE' }));

  await expect(stored).rejects.toThrow('differs from the patient of the study');
});

test('audits the registration of a study with its patient', async () => {
  const person = await world.signIn();

  const { data } = await register(person);

  const auditEntries = await world.inTenant(person.tenant, ({ db }) =>
    db.selectFrom('audit_entries').select(['action', 'study_id', 'patient_id']).orderBy('id').execute(),
  );
  const patient_id = data.patient.id;
  expect(auditEntries).toEqual([
    { action: 'patient.create', study_id: null, patient_id },
    { action: 'study.create', study_id: data.id, patient_id },
  ]);
});

test('a referring physician who may register a study can see it', async () => {
  const referrer = await world.signIn('REFERRING_PHYSICIAN');
  await world.inTenant(referrer.tenant, ({ db }) =>
    db
      .updateTable('roles')
      .set({ permissions: ['study.create', 'study.view', 'patient.edit'] })
      .where('built_in_for', '=', 'REFERRING_PHYSICIAN')
      .execute(),
  );
  world.context.sessions.forget();

  const { data } = await register(referrer);

  expect(await referrer.send(studies.get, { params: { id: data.id } })).toMatchObject({ code: 200 });
});
