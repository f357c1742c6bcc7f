import { reports } from '@radwork/contract/reading/reports';
import { studies } from '@radwork/contract/imaging/studies';
import { expect, test } from 'vitest';
import { findingSteps } from '#test/finding-steps.ts';
import { twoRecords } from '#test/merge-steps.ts';
import { reportSteps } from '#test/report-steps.ts';
import { addStudy } from '#test/stored-study.ts';
import { waitsForLock } from '#test/waits-for-lock.ts';
import { createWorld, type Person } from '#test/world.ts';
import { merge as mergeIn } from '#imaging/patients/merge-patients.ts';

const world = await createWorld();
const { begin } = reportSteps(world);
const { add, communicate, withdraw } = findingSteps(world);

const store = (person: Person, overrides: Parameters<typeof addStudy>[1] = {}) =>
  world.inTenant(person.tenant, (scope) => addStudy(scope, overrides));

test('the recycle bin shows the deleted study, the user who deleted it, and the last day to restore', async () => {
  const person = await world.signIn('ADMIN');
  const colleague = await world.signIn('ADMIN', person.tenant);
  const { id } = await store(person, { description: 'Chest' });
  await store(person, { description: 'Kept' });
  await person.send(studies.remove, { params: { id } });
  await person.send(studies.restore, { params: { id } });
  await colleague.send(studies.remove, { params: { id } });

  const { data } = await person.send(studies.deleted);

  expect(data).toMatchObject({
    totalElements: 1,
    content: [{ id, description: 'Chest', deletedBy: colleague.username, patient: { patientName: 'Doe, Jane' } }],
  });
  const [deleted] = data.content;
  const days = (Date.parse(deleted?.purgeDate ?? '') - Date.parse(deleted?.deletedDate ?? '')) / 86_400_000;
  expect(Math.round(days)).toBe(30);
});

test('the recycle bin lists the last deleted study first, page by page', async () => {
  const person = await world.signIn('ADMIN');
  const deleted: string[] = [];
  for (let count = 0; count < 3; count += 1) {
    const { id } = await store(person);
    await person.send(studies.remove, { params: { id } });
    deleted.unshift(id);
  }

  const pages = await Promise.all([0, 1].map((page) => person.send(studies.deleted, { query: { page, size: 2 } })));

  expect(pages.map(({ data }) => data.content.map(({ id }) => id))).toEqual([deleted.slice(0, 2), deleted.slice(2)]);
  expect(pages[0]?.data).toMatchObject({ totalElements: 3, totalPages: 2 });
});

const number = { accessionNumber: 'ACC-1' };

test.each<[string, (person: Person, patientId: string) => Promise<{ id: string; revision: number }>]>([
  [
    'registered',
    async (person, existingPatientId) =>
      (await person.send(studies.create, { body: { existingPatientId, modality: 'CT', ...number } })).data,
  ],
  [
    'changed',
    async (person) => {
      const { id } = await store(person);
      return (await person.send(studies.update, { params: { id }, body: { revision: 1, ...number } })).data;
    },
  ],
])('refuses to restore a study whose accession number belongs to a study that was %s since', async (_, give) => {
  const person = await world.signIn('ADMIN');
  const { id, patientId } = await store(person, { accession_number: 'ACC-1' });
  await person.send(studies.remove, { params: { id } });
  const other = await give(person, patientId);

  const refused = await person.send(studies.restore, { params: { id } });
  await person.send(studies.update, {
    params: { id: other.id },
    body: { revision: other.revision, accessionNumber: 'ACC-2' },
  });
  const restored = await person.send(studies.restore, { params: { id } });

  expect(refused).toMatchObject({
    status: 409,
    message: 'Another study now has accession number ACC-1. Change the number of that study first.',
  });
  expect(restored).toMatchObject({ status: 200, data: number });
});

test('a study that shared its accession number with other studies before its deletion can be restored', async () => {
  const person = await world.signIn('ADMIN');
  const { id } = await store(person, { accession_number: 'ACC-1' });
  await store(person, { accession_number: 'ACC-1' });
  await person.send(studies.remove, { params: { id } });
  await store(person, { accession_number: 'ACC-1' });

  expect(await person.send(studies.restore, { params: { id } })).toMatchObject({ status: 200, data: number });
});

test('refuses to delete a study with an unacknowledged critical finding, and names the finding', async () => {
  const author = await world.signIn();
  const person = await world.signIn('ADMIN', author.tenant);
  const { id: reportId, study } = await begin(author);
  const words = `Free air under the diaphragm, ${'with much fluid '.repeat(10)}`;
  const [first, second] = [await add(author, reportId, 'CRITICAL', words), await add(author, reportId, 'URGENT')];
  const remove = () => person.send(studies.remove, { params: { id: study.id } });

  const whileOpen = await remove();
  await withdraw(author, second.id);
  await communicate(author, first.id, { recipientName: 'Ward 3', method: 'PHONE' });
  const whileUnconfirmed = await remove();
  const { status: stays } = await person.send(studies.get, { params: { id: study.id } });
  await communicate(author, first.id, { recipientName: 'Ward 3', method: 'PHONE', hasReadBack: true });
  const settled = await remove();

  const which = '"Free air under the diaphragm, with much fluid with much fluid with much fluid w…"';
  expect(whileOpen).toMatchObject({
    status: 409,
    message: `This study has 2 open critical findings, such as ${which}. They must be acknowledged or withdrawn first.`,
  });
  expect(whileUnconfirmed).toMatchObject({
    status: 409,
    message: `This study has an open critical finding: ${which}. It must be acknowledged or withdrawn first.`,
  });
  expect(stays).toBe(200);
  expect(settled.status).toBe(200);
});

test('if a deletion and a new finding of a study arrive at the same moment, one of them is refused', async () => {
  const author = await world.signIn();
  const person = await world.signIn('ADMIN', author.tenant);
  const { id, study } = await begin(author);
  const body = { finding: 'Tension pneumothorax', severity: 'CRITICAL' };

  const [added, removed] = await Promise.all([
    author.send(reports.addCriticalFinding, { params: { id }, body }),
    person.send(studies.remove, { params: { id: study.id } }),
  ]);

  expect([
    [200, 409],
    [404, 200],
  ]).toContainEqual([added.status, removed.status]);
});

test('a study restored during a merge of its patient belongs to the survivor', async () => {
  const records = await twoRecords(world);
  const { person, survivor, source } = records;
  const id = source.studies[0]?.id ?? '';
  await person.send(studies.remove, { params: { id } });

  const restoring = await person.inScope(async (scope) => {
    const body = { sourceId: source.id, revision: survivor.revision, sourceRevision: source.revision };
    await mergeIn(scope, survivor.id, { ...body, keep: {}, isOnePerson: true });
    const waiting = { answer: person.send(studies.restore, { params: { id } }) };
    await Promise.race([waiting.answer, waitsForLock(world)]);
    return waiting;
  });

  expect(await restoring.answer).toMatchObject({ status: 200, data: { id, patient: { id: survivor.id } } });
});

test("the recycle bin shows only studies of the caller's tenant", async () => {
  const [person, stranger] = [await world.signIn('ADMIN'), await world.signIn('ADMIN')];
  const { id } = await store(stranger);
  await stranger.send(studies.remove, { params: { id } });

  const { data } = await person.send(studies.deleted);
  const restored = await person.send(studies.restore, { params: { id } });

  expect(data.content).toEqual([]);
  expect(restored).toMatchObject({ code: 404 });
});
