import { lapseSeconds, readingLocks } from '@radwork/contract/reading/reading-locks';
import { readingQueue } from '@radwork/contract/reading/reading-queue';
import { reportingSettings } from '@radwork/contract/reading/reporting-settings';
import { studies } from '@radwork/contract/imaging/studies';
import { expect, test } from 'vitest';
import { reportSteps } from '#test/report-steps.ts';
import { workSteps } from '#test/work-steps.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();
const { newStudy, assign, audited, studyStatus } = { ...reportSteps(world), ...workSteps(world) };
const { begin, finalize } = reportSteps(world);

const next = async (person: Person, body: object = {}) => (await person.send(readingQueue.next, { body })).data;
const nextId = async (person: Person, body: object = {}) => (await next(person, body)).study?.id;
const ahead = async (person: Person, body: object = {}) => (await person.send(readingQueue.ahead, { body })).data;
const listed = async (person: Person, body: object = {}) =>
  (await person.send(readingQueue.list, { body })).data.studies.map(({ id }) => id);
const defer = (person: Person, id: string, body: object = {}) =>
  person.send(readingQueue.defer, {
    params: { id },
    body: { until: inHours(1), reason: 'Priors are missing', ...body },
  });
const resume = (person: Person, id: string) => person.send(readingQueue.resume, { params: { id } });
const take = (person: Person, id: string, body: object = {}) =>
  person.send(readingLocks.take, { params: { id }, body });

const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();

const readingBy = async (person: Person, id: string) =>
  (await person.send(studies.get, { params: { id } })).data.readingBy;

/** Simulates this many seconds without input. */
const silence = (person: Person, seconds: number) =>
  world.inTenant(person.tenant, ({ db }) =>
    db
      .updateTable('reading_locks')
      .set({ seen_at: world.sql`seen_at - make_interval(secs => ${seconds})` })
      .execute(),
  );

test('the next study is the most urgent, then the one due first, then the one that waits longest', async () => {
  const reader = await world.signIn();
  const routine = await newStudy(reader, 'PENDING', { priority: 'ROUTINE', created_at: '2026-11-01T08:00:00Z' });
  const older = await newStudy(reader, 'PENDING', { priority: 'URGENT', created_at: '2026-11-02T08:00:00Z' });
  const newer = await newStudy(reader, 'PENDING', { priority: 'URGENT', created_at: '2026-11-03T08:00:00Z' });
  const due = await newStudy(reader, 'PENDING', {
    priority: 'URGENT',
    created_at: '2026-11-04T08:00:00Z',
    due_at: inHours(2),
  });
  const stat = await newStudy(reader, 'PENDING', { priority: 'STAT', created_at: '2026-11-05T08:00:00Z' });

  const order: (string | undefined)[] = [];
  for (let leave: string | undefined; order.length < 6; order.push(leave)) {
    leave = await nextId(reader, { leave, skipped: order });
  }

  expect(order).toEqual([stat, due, older, newer, routine, undefined]);
});

test('studies of the reader come before unassigned ones, and those of a colleague do not come', async () => {
  const reader = await world.signIn();
  const colleague = await world.signIn('RADIOLOGIST', reader.tenant);
  const unassigned = await newStudy(reader, 'PENDING', { priority: 'STAT' });
  const mine = await newStudy(reader);
  const others = await newStudy(reader);
  await assign(reader, mine, [reader]);
  await assign(reader, others, [colleague]);

  const { studies: queued, waiting } = await ahead(reader);
  const { studies: ofMine } = await ahead(reader, { queue: 'MINE' });
  const { studies: free } = await ahead(reader, { queue: 'UNASSIGNED' });

  expect(queued.map(({ id }) => id)).toEqual([mine, unassigned]);
  expect(waiting).toBe(2);
  expect(ofMine.map(({ id }) => id)).toEqual([mine]);
  expect(free.map(({ id }) => id)).toEqual([unassigned]);
});

test('lists the queue as reading mode opens it: the claimed study first, without deferred or skipped studies or those of other readers', async () => {
  const reader = await world.signIn();
  const colleague = await world.signIn('RADIOLOGIST', reader.tenant);
  const [claimed, deferred, skipped, othersReads, assigned, free] = await Promise.all(
    Array.from({ length: 6 }, () => newStudy(reader)),
  );
  if (!claimed || !deferred || !skipped || !othersReads || !assigned || !free) throw new Error('Too few studies');
  await assign(reader, assigned, [colleague]);
  await take(reader, claimed, { isReading: true });
  await take(colleague, othersReads);
  await defer(reader, deferred);

  expect(await listed(reader, { skipped: [skipped] })).toEqual([claimed, free]);
  expect(await listed(reader, { skipped: [skipped], queue: 'ALL' })).toEqual([claimed, free]);
  expect(await nextId(reader, { leave: claimed, skipped: [skipped] })).toBe(free);
  expect(await readingBy(colleague, free)).toMatchObject({ username: reader.username });
  expect(await listed(colleague, { size: 2 })).toEqual([othersReads, assigned]);
});

test('the queue of a user who may not create reports has and counts only studies whose draft the user may write', async () => {
  const reader = await world.signIn();
  const { study } = await begin(reader);
  for (let count = 0; count < 25; count += 1) await newStudy(reader);
  await world.inTenant(reader.tenant, async ({ db }) => {
    // The study was opened again.
    await db.updateTable('studies').set({ status: 'PENDING' }).where('id', '=', study.id).execute();
    await db
      .updateTable('roles')
      .set({ permissions: ['study.view', 'report.view', 'report.edit'] })
      .where('built_in_for', '=', 'RADIOLOGIST')
      .execute();
  });
  world.context.sessions.forget();

  const { data } = await reader.send(readingQueue.list, { body: { queue: 'ALL' } });

  expect([data.studies.map(({ id }) => id), data.waiting]).toEqual([[study.id], 1]);
});

test('a claim is seen by all, changes neither status nor assignment, and is audited', async () => {
  const reader = await world.signIn();
  const colleague = await world.signIn('RADIOLOGIST', reader.tenant);
  const id = await newStudy(reader);

  const { study, waiting } = await next(reader);

  expect(study).toMatchObject({ id });
  expect(waiting).toBe(0);
  expect(await readingBy(colleague, id)).toMatchObject({ username: reader.username, isMe: false });
  const { data } = await colleague.send(studies.get, { params: { id } });
  expect(data).toMatchObject({ status: 'PENDING', assignees: [] });
  expect(await audited(reader, 'study.claimReading')).toHaveLength(1);
});

test('an order without images is not offered', async () => {
  const reader = await world.signIn();
  await newStudy(reader, 'PENDING', { instance_count: 0 });

  expect(await next(reader)).toMatchObject({ study: null, waiting: 0 });
});

test('twenty readers who call at once get twenty studies', async () => {
  const first = await world.signIn();
  const others = await Promise.all(Array.from({ length: 19 }, () => world.signIn('RADIOLOGIST', first.tenant)));
  const ids = await Promise.all(Array.from({ length: 20 }, () => newStudy(first)));

  const claimed = await Promise.all([first, ...others].map((reader) => nextId(reader)));

  expect(new Set(claimed)).toEqual(new Set(ids));
});

test('a reader who returns continues the claimed study, and leaving a study frees it for others', async () => {
  const reader = await world.signIn();
  const colleague = await world.signIn('RADIOLOGIST', reader.tenant);
  const stat = await newStudy(reader, 'PENDING', { priority: 'STAT' });
  const routine = await newStudy(reader);
  await nextId(reader);

  expect(await nextId(reader)).toBe(stat);
  expect(await nextId(reader, { leave: stat, skipped: [stat] })).toBe(routine);
  expect(await readingBy(colleague, stat)).toBeNull();
  expect(await nextId(colleague)).toBe(stat);
});

test('a claim lasts for the time that the organization sets, and an editor opened meanwhile does not shorten it', async () => {
  const admin = await world.signIn('ADMIN');
  const reader = await world.signIn('RADIOLOGIST', admin.tenant);
  const colleague = await world.signIn('RADIOLOGIST', admin.tenant);
  const { data: settings } = await admin.send(reportingSettings.read);
  const saved = await admin.send(reportingSettings.save, {
    body: { ...settings, aiKey: '', isAiAgreed: false, readingClaimMinutes: 15 },
  });
  expect(saved).toMatchObject({ status: 200, data: { readingClaimMinutes: 15 } });
  const id = await newStudy(reader);
  await nextId(reader);
  await take(reader, id);

  await silence(reader, 14 * 60);
  expect(await readingBy(colleague, id)).toMatchObject({ username: reader.username });
  await silence(reader, 61);
  expect(await readingBy(colleague, id)).toBeNull();
  expect(await nextId(colleague)).toBe(id);
});

test('a study opened from a list is claimed like one of the queue, and a colleague takes it over with a reason', async () => {
  const reader = await world.signIn();
  const colleague = await world.signIn('RADIOLOGIST', reader.tenant);
  const id = await newStudy(reader);

  const { data } = await take(reader, id, { isReading: true });
  expect(Date.parse(data.expiresAt) - Date.parse(data.since)).toBe(600_000);
  expect(lapseSeconds).toBeLessThan(600);
  expect(await nextId(colleague)).toBeUndefined();

  const taken = await take(colleague, id, { isReading: true, takeOverFrom: reader.username, reason: 'Trauma room' });
  expect(taken.status).toBe(200);
  expect(await readingBy(reader, id)).toMatchObject({ username: colleague.username });
});

test('a deferred study is missing from the queue of its reader until its time, and resuming returns it at once', async () => {
  const reader = await world.signIn();
  const colleague = await world.signIn('RADIOLOGIST', reader.tenant);
  const id = await newStudy(reader);
  await nextId(reader);

  await defer(reader, id);

  expect(await next(reader)).toMatchObject({ study: null, deferred: 1 });
  expect((await ahead(colleague)).studies).toMatchObject([{ id }]);
  const { data: deferrals } = await reader.send(readingQueue.deferrals);
  expect(deferrals).toMatchObject([{ study: { id }, reason: 'Priors are missing' }]);
  expect((await colleague.send(readingQueue.deferrals)).data).toEqual([]);

  expect((await resume(reader, id)).status).toBe(200);
  expect(await nextId(reader)).toBe(id);
  expect(await resume(reader, id)).toMatchObject({ status: 404, message: 'Deferral not found' });
});

test('a deferral needs a time in the future and a reason', async () => {
  const reader = await world.signIn();
  const id = await newStudy(reader);

  expect(await defer(reader, id, { until: inHours(-1) })).toMatchObject({
    status: 422,
    message: 'Choose a time in the future',
  });
  expect(await defer(reader, id, { reason: ' ' })).toMatchObject({ status: 422, message: 'Reason is required' });
});

test('a deferral whose time has come returns the study to the queue', async () => {
  const reader = await world.signIn();
  const id = await newStudy(reader);
  await defer(reader, id);
  await world.inTenant(reader.tenant, ({ db }) =>
    db
      .updateTable('reading_deferrals')
      .set({ deferred_until: world.sql`now() - interval '1 second'` })
      .execute(),
  );

  expect(await next(reader)).toMatchObject({ study: { id }, deferred: 0 });
});

test('signing ends the claim, and the next study follows', async () => {
  const reader = await world.signIn();
  const { study, id: reportId } = await begin(reader);
  await take(reader, study.id, { isReading: true });
  const following = await newStudy(reader);

  expect((await finalize(reader, reportId)).status).toBe(200);

  expect(await studyStatus(reader, study.id)).toBe('COMPLETED');
  expect(await readingBy(reader, study.id)).toBeNull();
  expect(await nextId(reader)).toBe(following);
});
