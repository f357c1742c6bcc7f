import { randomBytes } from 'node:crypto';
import { newUid } from '@radwork/dicom/uid';
import { expect, test } from 'vitest';
import { newId } from '#core/values/ids.ts';
import { form, image, type Multipart } from '#test/multipart-upload.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();

const store = (person: Person, { payload, headers }: Multipart) =>
  person.request({ method: 'POST', url: '/api/stow-rs/studies', payload, headers });

test('a different sex means a different person unless the birth dates match', async () => {
  const person = await world.signIn();
  const john = { PatientID: 'P-1', PatientName: 'Doe^John', PatientBirthDate: '', PatientSex: 'M' };
  const jane = { PatientID: 'P-1', PatientName: 'Roe^Jane', PatientBirthDate: '19880808', PatientSex: 'F' };
  await store(person, form(image(john), image({ ...jane, PatientID: 'P-2' })));

  const answers = await Promise.all([
    store(person, form(image(jane))),
    store(person, form(image({ ...jane, PatientName: 'DOE^JOHN^^^' }))),
    store(person, form(image({ ...jane, PatientID: 'P-2', PatientName: 'Roe^Jan', PatientSex: 'M' }))),
  ]);

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([409, 200, 200]);
});

test("does not add another person's images to a study, even under the same Patient ID", async () => {
  const person = await world.signIn();
  const StudyInstanceUID = newUid();
  const john = { StudyInstanceUID, PatientID: 'P-1', PatientName: 'Doe^John', PatientBirthDate: '19500101' };
  const jane = { ...john, PatientName: 'Roe^Jane', PatientBirthDate: '19880808' };

  const together = await store(person, form(image(john), image(jane)));
  const later = await store(person, form(image(jane)));
  const renamed = await store(person, form(image({ ...john, PatientName: 'Miller^John' })));

  expect([together.statusCode, later.statusCode, renamed.statusCode]).toEqual([202, 409, 200]);
  expect(later.body).toContain(
    'image.dcm: The patient of the study has a different name and a different birth date or sex. If it is the same person,',
  );
});

test('does not add images of another person to a registered study, even after images with few patient data', async () => {
  const person = await world.signIn();
  const olga = { PatientID: 'P-1', PatientName: 'Order^Olga', PatientBirthDate: '19700101', PatientSex: 'F' };
  await store(person, form(image(olga)));
  const StudyInstanceUID = newUid();
  await person.inScope(async ({ db }) => {
    const patient = await db.selectFrom('patients').select('id').executeTakeFirstOrThrow();
    const study = { id: newId(), patient_id: patient.id, study_instance_uid: StudyInstanceUID };
    const columns = { patient_name: 'Order^Olga', patient_identifier: 'P-1' };
    await db
      .insertInto('studies')
      .values({ ...study, ...columns })
      .execute();
  });
  const wrong = { ...olga, StudyInstanceUID, PatientName: 'Wrong^Wolfgang', PatientBirthDate: '', PatientSex: 'M' };

  const before = await store(person, form(image(wrong)));
  const little = await store(person, form(image({ ...wrong, PatientName: '' })));
  const after = await store(person, form(image(wrong)));

  expect([before.statusCode, little.statusCode, after.statusCode]).toEqual([409, 200, 409]);
});

test('accepts further images of a study whose patient was corrected after the first image', async () => {
  const person = await world.signIn();
  const unknown = { PatientID: 'E-1', PatientName: 'Unknown^One', PatientBirthDate: '19000101', PatientSex: 'M' };
  const StudyInstanceUID = newUid();
  await store(person, form(image({ ...unknown, StudyInstanceUID })));
  await person.inScope(({ db }) =>
    db.updateTable('patients').set({ patient_name: 'Doe^Jane', date_of_birth: '1950-01-01', gender: 'F' }).execute(),
  );

  const further = await store(person, form(image({ ...unknown, StudyInstanceUID })));
  const other = await store(
    person,
    form(image({ ...unknown, PatientName: 'Unknown^Two', PatientBirthDate: '19010101', StudyInstanceUID })),
  );

  expect([further.statusCode, other.statusCode]).toEqual([200, 409]);
});

test('after a correction of the Patient ID, the device can send further images and the same file again', async () => {
  const person = await world.signIn();
  const StudyInstanceUID = newUid();
  const wrong = { StudyInstanceUID, PatientID: 'WRONG', PatientName: 'Doe^Jane', PatientBirthDate: '19500101' };
  const first = image(wrong);
  await store(person, form(first));
  await person.inScope(({ db }) =>
    db
      .updateTable('patients')
      .set({ patient_id: 'RIGHT', patient_name: 'Roe^Ann', date_of_birth: '1951-02-02' })
      .execute(),
  );

  const further = await store(person, form(image(wrong)));
  const again = await store(person, form(first));
  const other = await store(person, form(image({ ...wrong, PatientID: 'OTHER' })));

  expect([further.statusCode, again.statusCode, other.statusCode]).toEqual([200, 200, 409]);
});

test('accepts further images after a correction of the Patient ID, even if all images have long headers', async () => {
  const person = await world.signIn();
  const frames = Array.from({ length: 8000 }, () => ({ FrameComments: randomBytes(16).toString('hex') }));
  const wrong = {
    StudyInstanceUID: newUid(),
    PatientID: 'WRONG-2',
    PatientName: 'Doe^Jane',
    PatientBirthDate: '19500101',
    PerFrameFunctionalGroupsSequence: frames,
  };
  expect((await store(person, form(image(wrong)))).statusCode).toBe(200);
  await person.inScope(({ db }) =>
    db
      .updateTable('patients')
      .set({ patient_id: 'RIGHT-2', patient_name: 'Roe^Ann', date_of_birth: '1951-02-02' })
      .where('patient_id', '=', 'WRONG-2')
      .execute(),
  );

  const further = await store(person, form(image(wrong)));
  const other = await store(person, form(image({ ...wrong, PatientID: 'OTHER' })));

  expect([further.statusCode, other.statusCode]).toEqual([200, 409]);
});
