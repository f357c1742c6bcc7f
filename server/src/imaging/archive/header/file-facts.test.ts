import { expect, test } from 'vitest';
import { storeAs } from '#test/archive-calls.ts';
import { form, image } from '#test/multipart-upload.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();

const store = (person: Person, ...files: Parameters<typeof form>) =>
  person.request({ method: 'POST', url: '/api/stow-rs/studies', ...form(...files) });

const patientsOf = (person: Person) =>
  person.inScope(({ db }) => db.selectFrom('patients').select(['patient_id', 'issuer']).execute());

test.each([
  ['PatientID', 'more than one patient ID'],
  ['IssuerOfPatientID', 'more than one issuer of the patient ID'],
])('refuses a file whose %s contains a backslash, because it could name different patients', async (keyword, what) => {
  const person = await world.signIn();
  const files = ['CLINIC\\0001', 'CLINIC\\0002', '\\0003', 'CLINIC\\'].map((value) =>
    image({ PatientID: 'P-1', [keyword]: value }),
  );

  const answer = await store(person, ...files);

  expect(answer.statusCode).toBe(409);
  const refusal = `image.dcm: The file has ${what}. Correct it at the source and send it again.\n`;
  expect(answer.body).toContain(`Failed to process files:\n${refusal.repeat(files.length)}`);
  expect(await patientsOf(person)).toEqual([]);
});

test('a Patient ID with surrounding spaces does not make another patient', async () => {
  const person = await world.signIn();

  await storeAs(person, image({ PatientID: 'P-1', IssuerOfPatientID: 'North' }));
  await storeAs(person, image({ PatientID: '  P-1 ', IssuerOfPatientID: ' North ' }));

  expect(await patientsOf(person)).toEqual([{ patient_id: 'P-1', issuer: 'North' }]);
});
