import { newUid } from '@radwork/dicom/uid';
import { expect, test } from 'vitest';
import { newId } from '#core/values/ids.ts';
import { form, image } from '#test/multipart-upload.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();

const store = async (person: Person, ...files: ReturnType<typeof image>[]) => {
  const answer = await person.request({ method: 'POST', url: '/api/stow-rs/studies', ...form(...files) });
  return answer.statusCode;
};

const jane = { PatientID: 'JANE-1', PatientName: 'Doe^Jane', PatientBirthDate: '19610430', PatientSex: 'F' };
const janet = { PatientID: 'JANET-1', PatientName: 'Doe^Janet', PatientBirthDate: '19610430', PatientSex: 'F' };

const recordOf = (person: Person, patientId: string) =>
  person.inScope(({ db }) =>
    db.selectFrom('patients').select(['id', 'merged_into']).where('patient_id', '=', patientId).executeTakeFirst(),
  );

const studiesOf = (person: Person) =>
  person.inScope(({ db }) =>
    db
      .selectFrom('studies')
      .select(['patient_identifier', 'patient_name', 'patient_id', 'named_patient_id', 'instance_count'])
      .orderBy('created_at')
      .execute(),
  );

const differencesOf = (person: Person) =>
  person.inScope(({ db }) =>
    db.selectFrom('patient_differences').select(['patient_id', 'field', 'value']).orderBy('field').execute(),
  );

/** Creates Jane's record, and Janet's record merged into it. */
const mergedRecords = async (person: Person) => {
  await store(person, image(jane), image(janet));
  const [survivor, source] = [await recordOf(person, 'JANE-1'), await recordOf(person, 'JANET-1')];
  await person.inScope(async ({ db }) => {
    await db
      .updateTable('studies')
      .set({ patient_id: survivor?.id ?? '', named_patient_id: source?.id ?? '' })
      .where('patient_id', '=', source?.id ?? '')
      .execute();
    await db
      .updateTable('patients')
      .set({ merged_into: survivor?.id ?? '' })
      .where('id', '=', source?.id ?? '')
      .execute();
  });
  return { survivor: survivor?.id, source: source?.id };
};

test('a study that arrives under a merged ID belongs to the survivor, and the ID in its images is recorded', async () => {
  const person = await world.signIn();
  const { survivor, source } = await mergedRecords(person);

  const status = await store(person, image(janet));

  expect(status).toBe(200);
  expect((await studiesOf(person)).at(-1)).toMatchObject({
    patient_id: survivor,
    named_patient_id: source,
    patient_identifier: 'JANE-1',
    patient_name: 'Doe^Jane',
  });
});

test('further images of a merged study may have the old or the new Patient ID', async () => {
  const person = await world.signIn();
  const StudyInstanceUID = newUid();
  await store(person, image({ ...janet, StudyInstanceUID }));
  await mergedRecords(person);

  const old = await store(person, image({ ...janet, StudyInstanceUID }));
  const corrected = await store(person, image({ ...jane, StudyInstanceUID }));
  const stranger = await store(person, image({ ...jane, PatientID: 'OTHER', StudyInstanceUID }));

  expect([old, corrected, stranger]).toEqual([200, 200, 409]);
  expect((await studiesOf(person))[0]).toMatchObject({ patient_identifier: 'JANE-1', instance_count: 3 });
});

test('further images of a moved study may name its former patient, but images of other studies may not', async () => {
  const person = await world.signIn();
  const [moved, other] = [newUid(), newUid()];
  await store(person, image({ ...janet, StudyInstanceUID: moved }));
  await store(person, image({ ...jane, StudyInstanceUID: other }));
  const [to, from] = [await recordOf(person, 'JANE-1'), await recordOf(person, 'JANET-1')];
  await person.inScope(({ db }) =>
    db
      .updateTable('studies')
      .set({ patient_id: to?.id ?? '', named_patient_id: from?.id ?? '' })
      .where('study_instance_uid', '=', moved)
      .execute(),
  );

  const further = await store(person, image({ ...janet, StudyInstanceUID: moved }));
  const wrong = await store(person, image({ ...janet, StudyInstanceUID: other }));

  expect([further, wrong]).toEqual([200, 409]);
});

test('images without a Patient ID still join their study after it was assigned to a patient', async () => {
  const person = await world.signIn();
  const nameless = { PatientID: undefined, PatientName: 'Unknown^A', StudyInstanceUID: newUid() };
  await store(person, image(nameless));
  await store(person, image(jane));
  const to = await recordOf(person, 'JANE-1');
  await person.inScope(async ({ db }) => {
    const from = await db
      .selectFrom('patients')
      .select('id')
      .where('patient_id', 'like', 'UNKNOWN-%')
      .executeTakeFirstOrThrow();
    await db
      .updateTable('studies')
      .set({ patient_id: to?.id ?? '', named_patient_id: from.id })
      .where('patient_id', '=', from.id)
      .execute();
    await db
      .updateTable('patients')
      .set({ merged_into: to?.id ?? '' })
      .where('id', '=', from.id)
      .execute();
  });

  const further = await store(person, image(nameless));
  const other = await store(person, image({ ...nameless, PatientName: 'Somebody^Else' }));

  expect([further, other]).toEqual([200, 409]);
});

test('refuses images under a merged ID if their patient data match neither record', async () => {
  const person = await world.signIn();
  await mergedRecords(person);

  const stranger = await store(person, image({ ...janet, PatientName: 'Smith^John', PatientBirthDate: '20100505' }));
  const corrected = await store(person, image({ ...janet, PatientName: 'Doe^Jane', PatientBirthDate: '19610430' }));

  expect([stranger, corrected]).toEqual([409, 200]);
});

test('stores differences between files and patient record once, and does not change the record', async () => {
  const person = await world.signIn();
  await store(person, image({ ...jane, PatientTelephoneNumbers: '+1 555 0142' }));
  const record = await recordOf(person, 'JANE-1');
  const other = {
    ...jane,
    PatientName: 'Doe-Miller^Jane',
    PatientSex: 'O',
    PatientTelephoneNumbers: '+1 (555) 0142',
    PatientAddress: '1 Main St',
  };

  await store(person, image(other));
  await store(person, image(other));

  expect(await differencesOf(person)).toEqual([
    { patient_id: record?.id, field: 'address', value: '1 Main St' },
    { patient_id: record?.id, field: 'gender', value: 'O' },
    { patient_id: record?.id, field: 'patient_name', value: 'Doe-Miller^Jane' },
  ]);
  expect((await studiesOf(person)).map(({ patient_name }) => patient_name)).toEqual(Array(3).fill('Doe^Jane'));
});

test('stores a difference once when further files of the study repeat it', async () => {
  const person = await world.signIn();
  const StudyInstanceUID = newUid();
  await store(person, image({ ...jane, StudyInstanceUID }));
  const record = await recordOf(person, 'JANE-1');
  const married = { ...jane, StudyInstanceUID, PatientName: 'Doe-Miller^Jane' };

  await store(person, image(married), image(married), image({ ...married, PatientAddress: '1 Main St' }));
  await store(person, image(married));

  expect(await differencesOf(person)).toEqual([
    { patient_id: record?.id, field: 'address', value: '1 Main St' },
    { patient_id: record?.id, field: 'patient_name', value: 'Doe-Miller^Jane' },
  ]);
});

test('data of the former patient in a moved study is no difference for the new patient', async () => {
  const person = await world.signIn();
  const StudyInstanceUID = newUid();
  const bob = { PatientID: 'BOB-1', PatientName: 'Beta^Bob', PatientBirthDate: '20100101', PatientSex: 'M' };
  await store(person, image({ ...bob, StudyInstanceUID }));
  await store(person, image(jane));
  const [to, from] = [await recordOf(person, 'JANE-1'), await recordOf(person, 'BOB-1')];
  await person.inScope(({ db }) =>
    db
      .updateTable('studies')
      .set({ patient_id: to?.id ?? '', named_patient_id: from?.id ?? '' })
      .where('study_instance_uid', '=', StudyInstanceUID)
      .execute(),
  );

  const further = await store(person, image({ ...bob, StudyInstanceUID }));
  const ofJane = await store(person, image({ ...jane, StudyInstanceUID }));
  const stranger = await store(
    person,
    image({ ...bob, PatientName: 'Roe^Rita', PatientSex: 'F', PatientBirthDate: '' }),
  );
  const inStudy = await store(
    person,
    image({ ...bob, StudyInstanceUID, PatientName: 'Roe^Rita', PatientBirthDate: '19330303' }),
  );

  expect([further, ofJane, stranger, inStudy]).toEqual([200, 200, 409, 409]);
  expect(await differencesOf(person)).toEqual([]);
});

test('missing or differently spelled patient data in files is no difference', async () => {
  const person = await world.signIn();
  await store(person, image(jane));

  await store(person, image({ ...jane, PatientName: 'DOE^JANE^^^' }));
  await store(person, image({ PatientID: 'JANE-1', PatientName: '', PatientBirthDate: '', PatientSex: '' }));

  expect(await differencesOf(person)).toEqual([]);
});

test('files of one tenant cause no difference in another tenant', async () => {
  const person = await world.signIn();
  const stranger = await world.signIn();
  await store(person, image(jane));

  await store(stranger, image({ ...jane, PatientName: `Other^${newId()}` }));

  expect([await differencesOf(person), await differencesOf(stranger)]).toEqual([[], []]);
});
