import { dashboard } from '@radwork/contract/insight/dashboard';
import { studies } from '@radwork/contract/imaging/studies';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { newId } from '#core/values/ids.ts';
import { fileStudies } from '#imaging/patients/file-studies.ts';
import { storeAs } from '#test/archive-calls.ts';
import { beginReport, reportSteps } from '#test/report-steps.ts';
import { addStudy } from '#test/stored-study.ts';
import { image } from '#test/multipart-upload.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();
const { finalize } = reportSteps(world);

const day = 86_400_000;

/** Creates an examination that was ordered `days` ago and has no images yet. */
const order = async (person: Person, days: number) => {
  const newPatient = { patientName: 'Phantom, Ada', patientId: `P-${newId()}`, gender: 'F', dateOfBirth: '1961-03-02' };
  const { data: study } = await person.send(studies.create, { body: { modality: 'CT', newPatient } });
  const created_at = new Date(Date.now() - days * day).toISOString();
  await world.inTenant(person.tenant, ({ db }) =>
    db.updateTable('studies').set({ created_at }).where('id', '=', study.id).execute(),
  );
  const { studyInstanceUID: StudyInstanceUID, patient } = study;
  const patientData = { PatientID: patient.patientId, PatientName: 'PHANTOM^ADA', PatientBirthDate: '19610302' };
  const send = () => storeAs(person, image({ StudyInstanceUID, ...patientData, Modality: 'CT' }));
  return { id: study.id, created_at, send };
};

const arrivalOf = async (person: Person, id: string) =>
  Date.parse((await person.send(studies.get, { params: { id } })).data.createdDate);

const figures = async (person: Person) => {
  const { data } = await person.send(dashboard.read, { query: { days: 30, parts: 'turnaround,ages,volume' } });
  const counts = data.volume?.columns.flatMap(({ from, counts: { CT } }) => (CT ? [[from, CT]] : []));
  return { counts, ages: data.ages, routine: data.turnaround?.find(({ priority }) => priority === 'ROUTINE'), data };
};

test('a study ordered long ago counts as arrived, and as waiting, from its first images on', async () => {
  const person = await world.signIn();
  const { id, send } = await order(person, 8);

  const before = Date.now();
  await send();
  const first = await arrivalOf(person, id);
  await send();

  // The time comes from the database, which has its own clock.
  expect(first).toBeGreaterThan(before - 1000);
  expect(await arrivalOf(person, id)).toBe(first);
  const { counts, ages, data } = await figures(person);
  expect(counts).toEqual([[data.to, 1]]);
  expect(ages?.filter(({ total }) => total > 0).map(({ age }) => age)).toEqual(['UNDER_4_HOURS']);
});

test('the turnaround time begins with the images, not with the order', async () => {
  const person = await world.signIn();
  const { id, send } = await order(person, 8);
  await send();

  const { data: report } = await beginReport(person, id);
  expect((await finalize(person, report.id)).status).toBe(200);

  const { routine } = await figures(person);
  expect(routine?.count).toBe(1);
  expect(routine?.p90Minutes).toBeLessThan(2);
});

test('a moved study keeps its arrival time, so that undoing a merge restores it', async () => {
  const person = await world.signIn('ADMIN');
  const { id, created_at, send } = await order(person, 2);
  await world.inTenant(person.tenant, async (scope) => {
    const { patientId } = await addStudy(scope);
    await fileStudies(scope, patientId, sql`id = ${id}`);
  });

  await send();

  expect(await arrivalOf(person, id)).toBe(Date.parse(created_at));
});

test('images that arrive after the report do not change the figures of the study', async () => {
  const person = await world.signIn();
  const { id, created_at, send } = await order(person, 2);
  const { data: report } = await beginReport(person, id);
  await finalize(person, report.id);

  await send();

  expect(await arrivalOf(person, id)).toBe(Date.parse(created_at));
});
