import { randomUUID } from 'node:crypto';
import { reportAutosaves } from '@radwork/contract/reading/report-autosaves';
import { reports, reportTextLimit } from '@radwork/contract/reading/reports';
import { expect, test } from 'vitest';
import { reportSteps, sortedStatuses } from '#test/report-steps.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();
const { begin, save, finalize, participate, newStudy } = reportSteps(world);

const text = {
  reportId: null as string | null,
  baseRevision: null as number | null,
  patientId: null as string | null,
  content: '<p>Half a sen</p>',
  hasCriticalFindings: false,
  criticalFindingsDetails: '',
  replaces: null as string | null,
};

const keep = (person: Person, studyId: string, body: Partial<typeof text> = {}) =>
  person.send(reportAutosaves.keep, { params: { id: studyId }, body: { id: randomUUID(), ...text, ...body } });

const autosavesOf = async (person: Person, studyId: string) =>
  (await person.send(reportAutosaves.find, { params: { id: studyId } })).data;

const contentsKept = async (person: Person, studyId: string) =>
  (await autosavesOf(person, studyId)).map(({ content }) => content);

test('an autosave is visible only to its writer and creates no report, version or revision', async () => {
  const writer = await world.signIn();
  const { study, id } = await begin(writer);
  const flag = { hasCriticalFindings: true, criticalFindingsDetails: 'Pneumothorax' };

  const answer = await keep(writer, study.id, { ...flag, reportId: id, baseRevision: 1 });

  expect(answer.status).toBe(200);
  expect(await autosavesOf(writer, study.id)).toEqual([
    { ...flag, ...answer.data, reportId: id, baseRevision: 1, patient: null, content: text.content },
  ]);
  const stored = await writer.send(reports.get, { params: { id } });
  expect(stored.data).toMatchObject({ content: '<p>No acute finding.</p>', revision: 1, hasCriticalFindings: false });
  expect(stored.data.history).toHaveLength(1);
});

test('an autosave for a study without a report does not create the report', async () => {
  const writer = await world.signIn();
  const study = await newStudy(writer);

  await keep(writer, study.id);

  expect(await contentsKept(writer, study.id)).toEqual([text.content]);
  const { data } = await writer.send(reports.ofStudy, { params: { id: study.id } });
  expect(data).toMatchObject({ report: null, canCreate: true });
});

test('an autosave is sanitized like a saved text, and its text may be empty', async () => {
  const writer = await world.signIn();
  const study = await newStudy(writer);

  const attack = '<p onclick="alert(1)">Lung<script>alert(1)</script><img src="https://example.org/x.png"></p>';
  const first = await keep(writer, study.id, { content: attack });
  const rebuilt = await contentsKept(writer, study.id);
  const empty = await keep(writer, study.id, { content: '', hasCriticalFindings: true, replaces: first.data.id });

  expect(rebuilt).toEqual(['<p>Lung</p>']);
  expect(empty.status).toBe(200);
  expect(await autosavesOf(writer, study.id)).toMatchObject([{ content: '', hasCriticalFindings: true }]);
});

test('refuses an autosave with a text too long to save, and the earlier autosave remains', async () => {
  const writer = await world.signIn();
  const study = await newStudy(writer);
  const { data } = await keep(writer, study.id);

  const refused = await keep(writer, study.id, {
    content: `<p>${'a'.repeat(reportTextLimit + 1)}</p>`,
    replaces: data.id,
  });

  expect(refused).toMatchObject({ status: 422, message: 'The report is longer than 10,000 characters' });
  expect(await contentsKept(writer, study.id)).toEqual([text.content]);
});

test('a page chooses the ID of its autosave, so it knows the ID before the response', async () => {
  const writer = await world.signIn();
  const study = await newStudy(writer);
  const id = randomUUID();
  const body = { ...text, id };

  const first = await writer.send(reportAutosaves.keep, { params: { id: study.id }, body });
  const other = await newStudy(writer);
  const again = await writer.send(reportAutosaves.keep, { params: { id: other.id }, body });

  expect(first.data.id).toBe(id);
  expect(again).toMatchObject({ status: 409, error: 'report.kept_twice' });
  expect(await contentsKept(writer, other.id)).toEqual([]);
});

test('the next autosave replaces the previous autosave', async () => {
  const writer = await world.signIn();
  const study = await newStudy(writer);
  const first = await keep(writer, study.id);

  const second = await keep(writer, study.id, { content: '<p>Half a sentence</p>', replaces: first.data.id });

  expect(second.status).toBe(200);
  expect(await contentsKept(writer, study.id)).toEqual(['<p>Half a sentence</p>']);
});

test.each([
  ['that knows of no autosave', () => null],
  ['that knows only an older autosave', (first: string) => first],
])('a window %s cannot replace an autosave of another window', async (_, replaces) => {
  const writer = await world.signIn();
  const study = await newStudy(writer);
  const first = await keep(writer, study.id);
  await keep(writer, study.id, { content: '<p>Newer</p>', replaces: first.data.id });

  const refused = await keep(writer, study.id, { content: '<p>Older</p>', replaces: replaces(first.data.id) });

  expect(refused).toMatchObject({ status: 409, error: 'report.kept_elsewhere' });
  expect(refused.message).toMatch(
    /^You have a newer autosave from another window, saved at \d{4}-\d\d-\d\d \d\d:\d\d\./,
  );
  expect(await contentsKept(writer, study.id)).toEqual(['<p>Newer</p>']);
});

test('only one of two simultaneous autosaves succeeds, and the other is refused', async () => {
  const writer = await world.signIn();
  const study = await newStudy(writer);
  const { data } = await keep(writer, study.id);

  const answers = await Promise.all(
    ['1', '2', '3', '4'].map((words) => keep(writer, study.id, { content: `<p>${words}</p>`, replaces: data.id })),
  );

  expect(sortedStatuses(answers)).toEqual([200, 409, 409, 409]);
});

test('a save deletes the autosave that the request names, even if the texts differ', async () => {
  const writer = await world.signIn();
  const { study, id } = await begin(writer);
  const { data } = await keep(writer, study.id, { reportId: id, baseRevision: 1 });

  await save(writer, id, { content: '<p>Half a sentence, and the rest.</p>', revision: 1, keptTextId: data.id });

  expect(await autosavesOf(writer, study.id)).toEqual([]);
});

test('a refused save does not delete the autosave', async () => {
  const writer = await world.signIn();
  const colleague = await world.signIn('RADIOLOGIST', writer.tenant);
  const { study, id } = await begin(writer);
  await participate(colleague, study.id, 'ASSIGNEE');
  const { data } = await keep(writer, study.id, { reportId: id, baseRevision: 1 });
  await save(colleague, id, { content: '<p>Effusion.</p>', revision: 1 });

  const refused = await save(writer, id, { content: text.content, revision: 1, keptTextId: data.id });

  expect(refused.status).toBe(409);
  expect(await contentsKept(writer, study.id)).toEqual([text.content]);
});

test('a save in one window does not delete the autosave of another window', async () => {
  const writer = await world.signIn();
  const { study, id } = await begin(writer);
  await keep(writer, study.id, { reportId: id, baseRevision: 1, content: '<p>Of another window</p>' });

  await save(writer, id, { content: '<p>Of this window</p>', revision: 1 });

  expect(await contentsKept(writer, study.id)).toEqual(['<p>Of another window</p>']);
});

test('beginning and signing a report delete the autosave', async () => {
  const writer = await world.signIn();
  const study = await newStudy(writer);
  const autosave = await keep(writer, study.id);
  const body = { content: text.content, patientId: study.patientId, keptTextId: autosave.data.id };

  const { data } = await writer.send(reports.create, { params: { id: study.id }, body });
  const afterCreate = await autosavesOf(writer, study.id);
  await keep(writer, study.id, { reportId: data.id, baseRevision: 1, content: '<p>Signed.</p>' });
  const signed = await finalize(writer, data.id, { content: '<p>Signed.</p>' });

  expect(afterCreate).toEqual([]);
  expect(signed.status).toBe(200);
  expect(await autosavesOf(writer, study.id)).toEqual([]);
});

test.each([
  ['saved', (person: Person, id: string) => save(person, id, { content: '<p>The same.</p>', revision: 1 })],
  ['signed', (person: Person, id: string) => finalize(person, id, { content: '<p>The same.</p>', revision: 1 })],
])('an autosave stays if the %s report has the same text but not the same critical details', async (_, settle) => {
  const person = await world.signIn();
  const { study, id: reportId } = await begin(person);
  const flagged = { hasCriticalFindings: true, criticalFindingsDetails: 'Aortic dissection' };
  await keep(person, study.id, { reportId, baseRevision: 1, content: '<p>The same.</p>', ...flagged });

  const { status } = await settle(person, reportId);

  expect(status).toBe(200);
  expect(await autosavesOf(person, study.id)).toMatchObject([flagged]);
});

test('a save deletes an autosave with the same text and critical details, ignoring whitespace', async () => {
  const person = await world.signIn();
  const { study, id: reportId } = await begin(person);
  const words = { content: '<p>The same.</p>', hasCriticalFindings: true };
  const spaced = { criticalFindingsDetails: ' Aortic dissection\n' };
  await keep(person, study.id, { reportId, baseRevision: 1, ...words, ...spaced });

  await save(person, reportId, { ...words, criticalFindingsDetails: 'Aortic dissection', revision: 1 });

  expect(await autosavesOf(person, study.id)).toEqual([]);
});

test("signing by a colleague does not delete another user's autosave", async () => {
  const writer = await world.signIn();
  const colleague = await world.signIn('RADIOLOGIST', writer.tenant);
  const { study, id } = await begin(writer);
  await participate(colleague, study.id, 'ASSIGNEE');
  await keep(writer, study.id, { reportId: id, baseRevision: 1 });

  await save(colleague, id, { content: text.content, revision: 1 });
  const signed = await finalize(colleague, id, { content: text.content });
  const late = await keep(writer, study.id, { reportId: id, baseRevision: 1, content: '<p>Too late</p>' });

  expect(signed.status).toBe(200);
  expect(late.status).toBe(409);
  expect(await contentsKept(writer, study.id)).toEqual([text.content]);
});

test('discards an autosave, but not a newer autosave that has replaced it', async () => {
  const writer = await world.signIn();
  const study = await newStudy(writer);
  const params = { id: study.id };
  const first = await keep(writer, study.id);
  const second = await keep(writer, study.id, { content: '<p>Newer</p>', replaces: first.data.id });

  await writer.send(reportAutosaves.giveUp, { params, query: { keptTextId: first.data.id } });
  const afterFirst = await contentsKept(writer, study.id);
  await writer.send(reportAutosaves.giveUp, { params, query: { keptTextId: second.data.id } });

  expect(afterFirst).toEqual(['<p>Newer</p>']);
  expect(await autosavesOf(writer, study.id)).toEqual([]);
});

test('users cannot see, replace or discard autosaves of other users', async () => {
  const writer = await world.signIn();
  const colleague = await world.signIn('RADIOLOGIST', writer.tenant);
  const stranger = await world.signIn();
  const { study, id } = await begin(writer);
  await participate(colleague, study.id, 'ASSIGNEE');
  const { data } = await keep(writer, study.id, { reportId: id, baseRevision: 1 });
  const query = { keptTextId: data.id };

  await colleague.send(reportAutosaves.giveUp, { params: { id: study.id }, query });
  await keep(colleague, study.id, { reportId: id, baseRevision: 1, content: '<p>Mine</p>', replaces: data.id });
  const refused = await keep(stranger, study.id);

  expect(await contentsKept(colleague, study.id)).toEqual(['<p>Mine</p>']);
  expect(await contentsKept(writer, study.id)).toEqual([text.content]);
  expect(refused.status).toBe(404);
  expect((await stranger.send(reportAutosaves.find, { params: { id: study.id } })).status).toBe(404);
});

test('refuses an autosave of users who may not write the report', async () => {
  const writer = await world.signIn();
  const referrer = await world.signIn('REFERRING_PHYSICIAN', writer.tenant);
  const { study, id } = await begin(writer);
  const other = await begin(writer);

  const refused = await keep(referrer, study.id, { reportId: id, baseRevision: 1 });
  const second = await keep(writer, study.id, { reportId: null });
  const mixedUp = await keep(writer, study.id, { reportId: other.id, baseRevision: 1 });

  expect(refused.status).toBe(403);
  expect([second.status, mixedUp.status]).toEqual([409, 409]);
  expect(await autosavesOf(writer, study.id)).toEqual([]);
});
