import { afterAll, expect, test } from 'vitest';
import { letIn, listenForDevices } from '#test/device.ts';
import { form, image, type TestFile } from '#test/upload.ts';
import { worklistSteps } from '#test/worklist-steps.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();
const gateway = await listenForDevices(world);
afterAll(gateway.close);
const { order, ask, everything } = worklistSteps(world, gateway);

const unknown = { PatientID: 'E-1', PatientName: 'Unknown^One', PatientBirthDate: '19000101', PatientSex: 'M' };

/** An order for somebody unknown, and an image of it that says so, as a scanner makes it that was told of the order. */
const orderForUnknown = async (person: Person) => {
  const { uid } = await order(person.tenant, {
    patient: { patient_id: 'E-1', patient_name: 'Unknown^One', date_of_birth: '1900-01-01', gender: 'M' },
  });
  const made = (differences: object = {}) => image({ ...unknown, StudyInstanceUID: uid, ...differences });
  return { made };
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

test('images come in of whom the worklist told the scanner, although the patient was identified before the first of them', async () => {
  const person = await world.signIn();
  const titles = await letIn(world, person.tenant);
  const { made } = await orderForUnknown(person);
  await ask(titles, everything);
  await ask(titles, everything);
  await identify(person);

  const of = await answerTo(person, made());
  const others = await answerTo(person, made({ PatientName: 'Unknown^Two', PatientBirthDate: '19010101' }));

  expect([of, others]).toEqual([200, 409]);
});

test('images come in under the ID that the worklist told, although another was given before the first of them', async () => {
  const person = await world.signIn();
  const titles = await letIn(world, person.tenant);
  const { made } = await orderForUnknown(person);
  await ask(titles, everything);
  await identify(person, { patient_id: 'J-1' });

  expect(await answerTo(person, made())).toBe(200);
  expect(await answerTo(person, made({ PatientID: 'E-2' }))).toBe(409);
});

test('what no scanner was told is refused as of somebody else', async () => {
  const person = await world.signIn();
  const { made } = await orderForUnknown(person);
  await identify(person);

  expect(await answerTo(person, made())).toBe(409);
});
