import { afterAll, expect, test } from 'vitest';
import { addDevice, listenForDevices } from '#test/dimse-device.ts';
import { form, image, type TestFile } from '#test/multipart-upload.ts';
import { worklistSteps } from '#test/worklist-steps.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();
const gateway = await listenForDevices(world);
afterAll(gateway.close);
const { order, ask, everything } = worklistSteps(world, gateway);

const unknown = { PatientID: 'E-1', PatientName: 'Unknown^One', PatientBirthDate: '19000101', PatientSex: 'M' };

/**
 * An order for an unidentified patient, and an image with the same patient data, as a scanner copies them from the
 * worklist.
 */
const orderForUnknown = async (person: Person) => {
  const { uid } = await order(person.tenant, {
    patient: { patient_id: 'E-1', patient_name: 'Unknown^One', date_of_birth: '1900-01-01', gender: 'M' },
  });
  const imageWith = (differences: object = {}) => image({ ...unknown, StudyInstanceUID: uid, ...differences });
  return { made: imageWith };
};

const identify = (person: Person, differences: object = {}) =>
  person.inScope(({ db }) =>
    db
      .updateTable('patients')
      .set({ patient_name: 'Doe^Jane', date_of_birth: '1950-01-01', gender: 'F', ...differences })
      .execute(),
  );

const answerTo = async (person: Person, file: TestFile): Promise<number> => {
  const { payload, headers } = form(file);
  const answer = await person.request({ method: 'POST', url: '/api/stow-rs/studies', payload, headers });
  return answer.statusCode;
};

test('accepts images with the patient data that the worklist sent, even if the patient was identified since', async () => {
  const person = await world.signIn();
  const titles = await addDevice(world, person.tenant);
  const { made: imageWith } = await orderForUnknown(person);
  await ask(titles, everything);
  await ask(titles, everything);
  await identify(person);

  const of = await answerTo(person, imageWith());
  const others = await answerTo(person, imageWith({ PatientName: 'Unknown^Two', PatientBirthDate: '19010101' }));

  expect([of, others]).toEqual([200, 409]);
});

test('accepts images with the Patient ID that the worklist sent, even if the Patient ID was changed since', async () => {
  const person = await world.signIn();
  const titles = await addDevice(world, person.tenant);
  const { made: imageWith } = await orderForUnknown(person);
  await ask(titles, everything);
  await identify(person, { patient_id: 'J-1' });

  expect(await answerTo(person, imageWith())).toBe(200);
  expect(await answerTo(person, imageWith({ PatientID: 'E-2' }))).toBe(409);
});

test('refuses images with patient data that the worklist never sent, as images of another patient', async () => {
  const person = await world.signIn();
  const { made: imageWith } = await orderForUnknown(person);
  await identify(person);

  expect(await answerTo(person, imageWith())).toBe(409);
});
