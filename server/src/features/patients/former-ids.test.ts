import { patients } from '@radwork/contract/patients';
import { expect, test } from 'vitest';
import { storeAs } from '#test/archive.ts';
import { detailsOf, jane } from '#test/merge-steps.ts';
import { image } from '#test/upload.ts';
import { createWorld, type Person } from '#test/world.ts';
import { recordWithId } from './patient-changes.ts';

const world = await createWorld();

/** An administrator with Jane, of one study. */
const janeOnRecord = async () => {
  const person = await world.signIn('ADMIN');
  await storeAs(person, image(jane));
  return person;
};

const renumber = async (person: Person, from: string, to: string) => {
  const { dateOfBirth, ...patient } = await detailsOf(person, from);
  const body = { ...patient, dateOfBirth: dateOfBirth ?? '', patientId: to };
  return person.send(patients.update, { params: { id: patient.id }, body });
};

test('an ID that images are arriving under is not taken back before they are there', async () => {
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

test('organisations that give out the same ID do not wait for each other', async () => {
  const [person, stranger] = [await janeOnRecord(), await janeOnRecord()];

  const answer = await stranger.inScope(async (scope) => {
    await recordWithId(scope, { patient_id: 'JANE-9', issuer: '' });
    return renumber(person, 'JANE-1', 'JANE-9');
  });

  expect(answer.status).toBe(200);
});
