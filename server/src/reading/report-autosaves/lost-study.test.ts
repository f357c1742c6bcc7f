import { randomUUID } from 'node:crypto';
import { reportAutosaves } from '@radwork/contract/reading/report-autosaves';
import { studies } from '@radwork/contract/imaging/studies';
import { expect, test } from 'vitest';
import { reportSteps } from '#test/report-steps.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();
const { newStudy } = reportSteps(world);

const keep = (person: Person, studyId: string) =>
  person.send(reportAutosaves.keep, {
    params: { id: studyId },
    body: {
      id: randomUUID(),
      reportId: null,
      baseRevision: null,
      patientId: null,
      content: '<p>Half a sen</p>',
      hasCriticalFindings: false,
      criticalFindingsDetails: '',
      replaces: null,
    },
  });

/** An administrator deletes the study. */
const remove = async ({ tenant }: Person, studyId: string) => {
  const admin = await world.signIn('ADMIN', tenant);
  const { status } = await admin.send(studies.remove, { params: { id: studyId } });
  expect(status).toBe(200);
};

const find = (person: Person, studyId: string) => person.send(reportAutosaves.find, { params: { id: studyId } });

test('autosaves of a deleted study remain visible only to their writer', async () => {
  const writer = await world.signIn();
  const colleague = await world.signIn('RADIOLOGIST', writer.tenant);
  const study = await newStudy(writer);
  expect(await keep(writer, study.id)).toMatchObject({ status: 200 });

  await remove(writer, study.id);

  expect((await find(writer, study.id)).data).toMatchObject([{ content: '<p>Half a sen</p>' }]);
  expect((await find(colleague, study.id)).status).toBe(404);
});

test('a writer can discard an autosave of a deleted study, after which its address returns 404', async () => {
  const writer = await world.signIn();
  const study = await newStudy(writer);
  const { data } = await keep(writer, study.id);
  await remove(writer, study.id);
  const discardText = () =>
    writer.send(reportAutosaves.giveUp, { params: { id: study.id }, query: { keptTextId: data.id } });

  expect((await discardText()).status).toBe(200);

  expect((await discardText()).status).toBe(404);
  expect((await find(writer, study.id)).status).toBe(404);
});
