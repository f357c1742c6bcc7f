import { randomUUID } from 'node:crypto';
import { reportAddenda } from '@radwork/contract/reading/report-addenda';
import { reportAutosaves } from '@radwork/contract/reading/report-autosaves';
import { reports } from '@radwork/contract/reading/reports';
import { expect, test } from 'vitest';
import { merge, move, type Records, twoRecords, undo } from '#test/merge-steps.ts';
import { reportSteps, sortedStatuses } from '#test/report-steps.ts';
import { waitsForLock } from '#test/waits-for-lock.ts';
import { createWorld, type Person } from '#test/world.ts';

/**
 * Tests texts about studies without a report. While a user writes such a text, the study is moved to another patient.
 */

const world = await createWorld();

const janetsText = '<p>Janet has a mass.</p>';

/** Jane and Janet, and an author who writes about a study of Janet that has no report. */
const writing = async () => {
  const records = await twoRecords(world);
  const author = await world.signIn('RADIOLOGIST', records.person.tenant);
  return { records, author, studyId: records.source.studies[0]?.id ?? '' };
};

const begin = (author: Person, studyId: string, patientId: string, overrides: object = {}) =>
  author.send(reports.create, { params: { id: studyId }, body: { content: janetsText, patientId, ...overrides } });

const ofStudy = async (author: Person, studyId: string) =>
  (await author.send(reports.ofStudy, { params: { id: studyId } })).data;

const keep = (author: Person, studyId: string, patientId: string | null) =>
  author.send(reportAutosaves.keep, {
    params: { id: studyId },
    body: {
      id: randomUUID(),
      reportId: null,
      baseRevision: null,
      patientId,
      content: janetsText,
      hasCriticalFindings: false,
      criticalFindingsDetails: '',
      replaces: null,
    },
  });

const autosavesOf = async (author: Person, studyId: string) =>
  (await author.send(reportAutosaves.find, { params: { id: studyId } })).data;

const identityOf = ({ id, patientName, patientId }: Records['survivor']) => ({ id, patientName, patientId });

const isOfJane = {
  status: 409,
  error: 'report.refiled',
  message:
    'The study was moved to another patient. It now belongs to Doe, Jane. Nothing was saved. Check that your text is about this patient.',
};

test('refuses to begin a report with a text for the previous patient of its study', async () => {
  const { records, author, studyId } = await writing();
  const { data: text } = await keep(author, studyId, records.source.id);
  const before = await ofStudy(author, studyId);

  await move(records.person, studyId, records.survivor.id);
  const unseen = await begin(author, studyId, records.source.id, { keptTextId: text.id });
  const after = await ofStudy(author, studyId);
  const afterRefusal = await autosavesOf(author, studyId);
  const newReport = await begin(author, studyId, after.patient.id, { keptTextId: text.id });

  expect(before.patient).toEqual(identityOf(records.source));
  expect(unseen).toMatchObject(isOfJane);
  expect(after).toMatchObject({ report: null, canCreate: true, patient: identityOf(records.survivor) });
  expect(afterRefusal).toMatchObject([{ content: janetsText }]);
  expect(newReport).toMatchObject({ status: 200, data: { content: janetsText, patientName: 'Doe, Jane' } });
});

test('if a study moves during first saves, no text is filed under a patient that its author has not seen', async () => {
  const { records, author, studyId } = await writing();

  const [moved, ...created] = await Promise.all([
    move(records.person, studyId, records.survivor.id),
    ...[1, 2, 3].map(() => begin(author, studyId, records.source.id)),
  ]);

  const { report, patient } = await ofStudy(author, studyId);
  expect(sortedStatuses(created)).toEqual(report ? [200, 409, 409] : [409, 409, 409]);
  // Either the move is refused because a report was begun, or the report begun for Janet says that the study was moved.
  expect(patient).toEqual(identityOf(moved.status === 200 ? records.survivor : records.source));
  expect(report === null || (report.refiledAt === null) === (moved.status === 409)).toBe(true);
});

test('a first save that waits for a move gets the new patient in its error', async () => {
  const { records, author, studyId } = await writing();
  let waiting: ReturnType<typeof begin> | undefined;

  await world.inTenant(records.person.tenant, async ({ db }) => {
    await db.updateTable('studies').set({ patient_id: records.survivor.id }).where('id', '=', studyId).execute();
    waiting = begin(author, studyId, records.source.id);
    await waitsForLock(world);
  });

  expect(await waiting).toMatchObject(isOfJane);
});

test('refuses a text for a merged record, and accepts it after the merge is undone', async () => {
  const { records, author, studyId } = await writing();

  const merged = await merge(records);
  const afterMerge = await begin(author, studyId, records.source.id);
  await undo(records.person, records.survivor.id, merged.data.id);
  const ofSurvivor = await begin(author, studyId, records.survivor.id);
  const ofSource = await begin(author, studyId, records.source.id);

  expect(afterMerge).toMatchObject(isOfJane);
  expect(ofSurvivor).toMatchObject({ status: 409, message: expect.stringContaining('It now belongs to Doe, Janet.') });
  expect(ofSource).toMatchObject({ status: 200, data: { patientName: 'Doe, Janet' } });
});

test('refuses to begin an addendum with a text for the previous patient of the report', async () => {
  const { records, author, studyId } = await writing();
  const { data: report } = await begin(author, studyId, records.source.id);
  await reportSteps(world).finalize(author, report.id, { content: janetsText });
  const add = (patientRecordId: string) =>
    author.send(reportAddenda.begin, {
      params: { id: report.id },
      body: { kind: 'ADDENDUM', content: '<p>Seen again.</p>', patientRecordId },
    });

  await move(records.person, studyId, records.survivor.id, { confirmedName: 'Doe, Jane' });
  const unseen = await add(report.patientRecordId);
  const { data: now } = await author.send(reports.get, { params: { id: report.id } });
  const afterView = await add(now.patientRecordId);

  expect(report.patientRecordId).toBe(records.source.id);
  expect(unseen).toMatchObject(isOfJane);
  expect(now.addendumDraft).toBeNull();
  expect(afterView).toMatchObject({ status: 200, data: { addendumDraft: { content: '<p>Seen again.</p>' } } });
});

test('an autosave names the patient for whom it was begun, even after a move', async () => {
  const { records, author, studyId } = await writing();
  await keep(author, studyId, records.source.id);

  await move(records.person, studyId, records.survivor.id);

  expect(await autosavesOf(author, studyId)).toMatchObject([
    { patient: identityOf(records.source), content: janetsText },
  ]);
});

test('an autosave from a window that missed a move names the patient for whom the text was begun', async () => {
  const { records, author, studyId } = await writing();
  await move(records.person, studyId, records.survivor.id);

  const answer = await keep(author, studyId, records.source.id);

  expect(answer.status).toBe(200);
  expect(await autosavesOf(author, studyId)).toMatchObject([{ patient: { patientName: 'Doe, Janet' } }]);
});

test('stores an autosave without a patient if it names a patient of another tenant', async () => {
  const { author, studyId } = await writing();
  const { records: others } = await writing();

  const answer = await keep(author, studyId, others.source.id);

  expect(answer.status).toBe(200);
  expect(await autosavesOf(author, studyId)).toMatchObject([{ patient: null, content: janetsText }]);
});
