import { lapseSeconds, readingLocks } from '@radwork/contract/reading/reading-locks';
import { reports } from '@radwork/contract/reading/reports';
import { studies } from '@radwork/contract/imaging/studies';
import { expect, test } from 'vitest';
import { newId } from '#core/values/ids.ts';
import { listenTo } from '#test/announcements.ts';
import { beginReport, reportSteps, reportText, sortedStatuses } from '#test/report-steps.ts';
import { waitsForLock } from '#test/waits-for-lock.ts';
import { createWorld, type Person } from '#test/world.ts';
import { takeLock as takeIn } from './service.ts';

const world = await createWorld();
const { begin, save, finalize, requestReview, participate, newStudy, auditedActions } = reportSteps(world);

const take = (person: Person, id: string, body: object = {}) =>
  person.send(readingLocks.take, { params: { id }, body });
const beat = (person: Person, id: string) => person.send(readingLocks.beat, { params: { id } });
const release = (person: Person, id: string) => person.send(readingLocks.release, { params: { id } });
const takeOver = (person: Person, id: string, from: Person, reason = 'The ward waits') =>
  take(person, id, { takeOverFrom: from.username, reason });

const reportOf = async (person: Person, id: string) => (await person.send(reports.ofStudy, { params: { id } })).data;

/** Simulates this many seconds without a heartbeat. */
const silence = (person: Person, studyId: string, seconds: number) =>
  world.inTenant(person.tenant, ({ db }) =>
    db
      .updateTable('reading_locks')
      .set({ seen_at: world.sql`seen_at - make_interval(secs => ${seconds})` })
      .where('study_id', '=', studyId)
      .execute(),
  );

/** Two users who may both write the same draft. */
const twoWriters = async () => {
  const author = await world.signIn();
  const colleague = await world.signIn('RADIOLOGIST', author.tenant);
  const { study, id: reportId } = await begin(author);
  await participate(colleague, study.id, 'ASSIGNEE');
  return { author, colleague, id: study.id, reportId };
};

const sinceThen = String.raw`since \d{4}-\d\d-\d\d \d\d:\d\d`;
const readBy = ({ username }: Person) =>
  expect.stringMatching(new RegExp(`^Being read by Dr ${username} ${sinceThen}$`));

test('opening the editor shows the reader in the worklist, on the study and on the report', async () => {
  const { author, colleague, id } = await twoWriters();

  const lock = await take(author, id);

  const { since, expiresAt } = lock.data;
  const reading = { username: author.username, name: `Dr ${author.username}`, since, expiresAt };
  expect(lock.data).toMatchObject({ ...reading, isMe: true });
  expect(Date.parse(expiresAt) - Date.parse(since)).toBe(lapseSeconds * 1000);
  const list = await colleague.send(studies.list);
  const page = await colleague.send(studies.get, { params: { id } });
  expect(list.data.content).toMatchObject([{ readingBy: { ...reading, isMe: false } }]);
  expect(page.data.readingBy).toMatchObject({ ...reading, isMe: false });
  expect((await author.send(studies.get, { params: { id } })).data.readingBy).toMatchObject({ isMe: true });
  expect((await reportOf(colleague, id)).readingBy).toMatchObject({ ...reading, reason: '', canTakeOver: true });
});

test('refuses the lock to a second user and names the reader and the time', async () => {
  const { author, colleague, id } = await twoWriters();
  await take(author, id);

  const second = await take(colleague, id);

  expect(second).toMatchObject({ status: 409, error: 'reading_lock.held', message: readBy(author) });
  expect((await reportOf(author, id)).readingBy).toMatchObject({ isMe: true });
});

test('refuses changes of the text by other users while a user holds the lock, and names that user', async () => {
  const { author, colleague, id, reportId } = await twoWriters();
  await take(author, id);

  const { report } = await reportOf(colleague, id);
  const answers = [
    await save(colleague, reportId, { content: '<p>Mine.</p>', revision: 1 }),
    await requestReview(colleague, reportId, author),
    await finalize(colleague, reportId),
  ];

  expect(report?.rights).toMatchObject({ canEdit: false, canRequestReview: false, canFinalize: false });
  expect(report?.rights.reasons).toContainEqual({ act: 'edit', reason: readBy(author) });
  for (const answer of answers) expect(answer).toMatchObject({ status: 409, message: readBy(author) });
  expect((await reportOf(author, id)).report).toMatchObject({ content: reportText, revision: 1 });
});

test('refuses to begin a report while another user begins it', async () => {
  const author = await world.signIn();
  const colleague = await world.signIn('RADIOLOGIST', author.tenant);
  const { id } = await newStudy(author);
  await take(author, id);
  const create = (person: Person) => beginReport(person, id);

  const reportView = await reportOf(colleague, id);
  const refused = await create(colleague);
  const created = await create(author);

  expect(reportView).toMatchObject({ canCreate: false, reasons: [readBy(author)], readingBy: { canTakeOver: true } });
  expect(refused).toMatchObject({ status: 409, message: readBy(author) });
  expect(created.status).toBe(200);
});

test('the holder of the lock can continue to write', async () => {
  const { author, colleague, id, reportId } = await twoWriters();
  await take(author, id);

  const answers = [
    await save(author, reportId, { content: '<p>More.</p>', revision: 1 }),
    await requestReview(author, reportId, colleague),
  ];

  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
});

test('a report whose text can no longer change can be signed even while another user holds the lock', async () => {
  const { author, colleague, id, reportId } = await twoWriters();
  await take(author, id);
  await requestReview(author, reportId, colleague);
  await colleague.send(reports.submitReview, { params: { id: reportId }, body: { approved: true, comments: 'Fine' } });

  expect(await finalize(colleague, reportId)).toMatchObject({ status: 200 });
});

test('two windows of one user share one lock and the time of its start', async () => {
  const { author, id } = await twoWriters();

  const first = await take(author, id);
  const second = await take(author, id);

  expect(second).toMatchObject({ status: 200, data: { since: first.data.since, isMe: true } });
});

test('if one of two windows of a user closes and releases the lock, the other window takes the lock again', async () => {
  const { author, id } = await twoWriters();
  await take(author, id);
  await release(author, id);

  const beaten = await beat(author, id);
  const again = await take(author, id);

  expect(beaten).toMatchObject({ status: 409, error: 'reading_lock.lapsed' });
  expect(again.status).toBe(200);
});

test('a lock that is taken again keeps its earlier start, but never a start in the future', async () => {
  const { author, id } = await twoWriters();
  const { since } = (await take(author, id)).data;
  await release(author, id);

  const again = await take(author, id, { since });
  await release(author, id);
  const tomorrow = await take(author, id, { since: new Date(Date.now() + 86_400_000).toISOString() });

  expect(again.data.since).toBe(since);
  expect(Date.parse(tomorrow.data.since)).toBeLessThan(Date.parse(tomorrow.data.expiresAt));
});

test('announces that a lock is taken, taken over or released, but not its heartbeats', async () => {
  const { author, colleague, id } = await twoWriters();
  const announcements = await listenTo(world);

  await take(author, id);
  await take(author, id);
  await beat(author, id);
  await takeOver(colleague, id, author);
  await release(author, id);
  await release(colleague, id);

  const study = { tenantId: author.tenant.id, event: { kind: 'study', studyId: id } };
  expect(await announcements()).toEqual([study, study, study]);
});

test('a lock expires two minutes after its last heartbeat, not before', async () => {
  const { author, colleague, id, reportId } = await twoWriters();
  await take(author, id);

  await silence(author, id, lapseSeconds - 10);
  const before = await take(colleague, id);
  await silence(author, id, 10);
  const { readingBy, report } = await reportOf(colleague, id);

  expect(before.status).toBe(409);
  expect(readingBy).toBeNull();
  expect(report?.rights.canEdit).toBe(true);
  expect((await colleague.send(studies.list)).data.content).toMatchObject([{ readingBy: null }]);
  expect(await save(colleague, reportId, { content: '<p>Mine.</p>', revision: 1 })).toMatchObject({ status: 200 });
  expect(await take(colleague, id)).toMatchObject({ status: 200, data: { isMe: true } });
  expect(await beat(author, id)).toMatchObject({ status: 409, error: 'reading_lock.held', message: readBy(colleague) });
});

test('a heartbeat extends the lock by two minutes and is not audited', async () => {
  const { author, colleague, id } = await twoWriters();
  await take(author, id);
  await silence(author, id, lapseSeconds - 10);
  const before = await auditedActions(author);

  const beaten = await beat(author, id);
  await silence(author, id, lapseSeconds - 10);

  expect(beaten.data).toMatchObject({ isMe: true });
  expect(await take(colleague, id)).toMatchObject({ status: 409 });
  expect(await auditedActions(author)).toEqual(before);
});

test('a takeover of a lock requires a reason, is audited and notifies the previous holder', async () => {
  const { author, colleague, id, reportId } = await twoWriters();
  await take(author, id);

  const lock = await takeOver(colleague, id, author);

  expect(lock).toMatchObject({ status: 200, data: { isMe: true, username: colleague.username } });
  const { readingBy } = await reportOf(author, id);
  expect(readingBy).toMatchObject({ username: colleague.username, reason: 'The ward waits', isTakenFromMe: true });
  const lost = await beat(author, id);
  expect(lost).toMatchObject({ status: 409, error: 'reading_lock.held' });
  expect(lost.message).toMatch(
    new RegExp(`^Dr ${colleague.username} took over this report from you at .*: The ward waits$`),
  );
  expect(await save(author, reportId, { content: '<p>Late.</p>', revision: 1 })).toMatchObject({ status: 409 });
  const entries = await world.inTenant(author.tenant, ({ db }) =>
    db
      .selectFrom('audit_entries')
      .select(['username', 'study_id', 'detail'])
      .where('action', '=', 'study.takeOverReading')
      .execute(),
  );
  expect(entries).toEqual([
    { username: colleague.username, study_id: id, detail: { from: author.userId, reason: 'The ward waits' } },
  ]);
});

test.each(['', '   '])('refuses to take over a lock for the reason %o', async (reason) => {
  const { author, colleague, id } = await twoWriters();
  await take(author, id);

  const answer = await takeOver(colleague, id, author, reason);

  expect(answer).toMatchObject({ status: 422, errors: [{ field: 'reason', message: 'Reason is required' }] });
  expect(await beat(author, id)).toMatchObject({ status: 200 });
});

test('only one of two simultaneous users gets the lock, even if both take it over', async () => {
  const { author, colleague, id } = await twoWriters();
  const third = await world.signIn('RADIOLOGIST', author.tenant);
  await participate(third, id, 'ASSIGNEE');

  const answers = await Promise.all([colleague, third].map((person) => take(person, id)));
  await release(colleague, id);
  await release(third, id);
  await take(author, id);
  const takenOver = await Promise.all([colleague, third].map((person) => takeOver(person, id, author)));

  expect(sortedStatuses(answers)).toEqual([200, 409]);
  expect(sortedStatuses(takenOver)).toEqual([200, 409]);
  expect((await reportOf(author, id)).readingBy).toMatchObject({ isTakenFromMe: true });
});

test("a second user waits while the first takes the lock, then is refused with the first user's name", async () => {
  const { author, colleague, id } = await twoWriters();
  const commit = Promise.withResolvers<void>();
  const isTaken = Promise.withResolvers<void>();
  const first = colleague.inScope(async (scope) => {
    await takeIn(scope, id, { reason: '', isAnother: false, isReading: false });
    isTaken.resolve();
    await commit.promise;
  });
  await isTaken.promise;

  const second = take(author, id);
  await waitsForLock(world);
  commit.resolve();
  await first;

  expect(await second).toMatchObject({ status: 409, message: readBy(colleague) });
});

test('a released lock is available, and only its holder can release it', async () => {
  const { author, colleague, id } = await twoWriters();
  await take(author, id);

  await release(colleague, id);
  const renewed = await beat(author, id);
  await release(author, id);

  expect(renewed.status).toBe(200);
  expect(await take(colleague, id)).toMatchObject({ status: 200 });
});

test('refuses the lock to users who may not write the report, and gives the reason', async () => {
  const author = await world.signIn();
  const stranger = await world.signIn('RADIOLOGIST', author.tenant);
  const { study, id } = await begin(author);
  const finalized = await begin(author);
  await finalize(author, finalized.id);

  const answers = [await take(stranger, study.id), await take(author, finalized.study.id)];
  await take(author, study.id);
  const forced = await takeOver(stranger, study.id, author);

  expect(answers.map(({ status, message }) => ({ status, message }))).toEqual([
    { status: 403, message: 'Only the author or an assigned radiologist can edit this report' },
    { status: 409, message: 'The report is Finalized and cannot be edited' },
  ]);
  expect(forced.status).toBe(403);
  expect((await reportOf(stranger, study.id)).readingBy).toMatchObject({ canTakeOver: false });
  expect((await author.send(reports.get, { params: { id } })).data.rights.canEdit).toBe(true);
});

test('a new report after a finalized report takes the lock only on explicit request', async () => {
  const author = await world.signIn();
  const { study, id } = await begin(author);
  await finalize(author, id);

  expect(await take(author, study.id, { isAnother: true })).toMatchObject({ status: 200 });
});

test('a referring physician cannot take a lock and does not see which user writes', async () => {
  const { author, id } = await twoWriters();
  const referrer = await world.signIn('REFERRING_PHYSICIAN', author.tenant);
  await participate(referrer, id, 'REFERRER');
  await take(author, id);

  expect(await take(referrer, id)).toMatchObject({ status: 403 });
  expect((await referrer.send(studies.get, { params: { id } })).data.readingBy).toBeNull();
  expect((await referrer.send(studies.list)).data.content).toMatchObject([{ id, readingBy: null }]);
  expect((await reportOf(referrer, id)).readingBy).toBeNull();
});

test('a request for a lock in another tenant gets the same answer as for an unknown study', async () => {
  const { author, id } = await twoWriters();
  const stranger = await world.signIn();
  await take(author, id);
  const calls = (studyId: string) =>
    Promise.all([take(stranger, studyId), beat(stranger, studyId), release(stranger, studyId)]);

  const realAnswers = await calls(id);
  const nobodys = await calls(newId());

  const words = (answers: typeof realAnswers) => answers.map(({ status, message }) => ({ status, message }));
  expect(words(realAnswers)).toEqual(words(nobodys));
  expect(realAnswers.map(({ status }) => status)).toEqual([404, 404, 404]);
  expect((await beat(author, id)).status).toBe(200);
});

test('even if no user holds the lock, a second save of the same revision overwrites nothing', async () => {
  const { author, colleague, id, reportId } = await twoWriters();
  await save(colleague, reportId, { content: '<p>Effusion.</p>', revision: 1 });

  const late = [
    await save(author, reportId, { content: '<p>No effusion.</p>', revision: 1 }),
    await finalize(author, reportId, { revision: 1 }),
  ];

  for (const answer of late) expect(answer).toMatchObject({ status: 409, error: 'report.changed' });
  expect((await reportOf(author, id)).report).toMatchObject({ content: '<p>Effusion.</p>', status: 'DRAFT' });
});
