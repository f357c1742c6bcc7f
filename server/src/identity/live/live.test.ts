import { importJobs } from '@radwork/contract/imaging/import-jobs';
import { live, type LiveEvent } from '@radwork/contract/identity/live';
import { sessions } from '@radwork/contract/identity/sessions';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { announce, announceStudiesBatched } from '#core/live/announce.ts';
import { newId } from '#core/values/ids.ts';
import { eventually } from '#test/eventually.ts';
import { receiveEvents, type Listening, listeningTo } from '#test/listen-live.ts';
import { spawnServer } from '#test/spawned-server.ts';
import { addStudy } from '#test/stored-study.ts';
import { workSteps } from '#test/work-steps.ts';
import { createWorld, type Tenant } from '#test/world.ts';

const world = await createWorld();
/** Returns the database connections on which servers receive announcements. */
const lines = async () => {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity
    where datname = current_database() and query = 'listen live' and state = 'idle'`.execute(world.owner);
  return rows;
};

const listen = listeningTo(world);
const { newStudy, assign, unassign } = workSteps(world);

const study = (studyId: string): LiveEvent => ({ kind: 'study', studyId });
const announceEvent = (tenant: Tenant, event: LiveEvent, to?: string[]) =>
  world.inTenant(tenant, (scope) => announce(scope, event, to));

const hasEnded = async ({ ended }: Listening) => {
  await ended;
  return true;
};

test('users receive only the events of their own tenant', async () => {
  const person = await world.signIn();
  const colleague = await world.signIn('ADMIN', person.tenant);
  const stranger = await world.signIn();
  const [one, two, other] = [await listen(person), await listen(colleague), await listen(stranger)];

  await announceEvent(person.tenant, study('ours'));
  await receiveEvents(one);
  await announceEvent(stranger.tenant, study('theirs'));

  expect(await receiveEvents(other)).toEqual([study('theirs')]);
  expect([one.events, await receiveEvents(two)]).toEqual([[study('ours')], [study('ours')]]);
});

test('an event for named users reaches only those users', async () => {
  const person = await world.signIn();
  const colleague = await world.signIn('ADMIN', person.tenant);
  const [notified, other] = [await listen(person), await listen(colleague)];
  const many = Array.from({ length: 400 }, newId);

  await announceEvent(person.tenant, { kind: 'notifications' }, [...many, person.userId]);
  await receiveEvents(notified);
  await announceEvent(person.tenant, study('for all'));

  expect(await receiveEvents(other)).toEqual([study('for all')]);
  expect(await receiveEvents(notified, 2)).toEqual([{ kind: 'notifications' }, study('for all')]);
});

test('a change that is rolled back sends no event', async () => {
  const person = await world.signIn();
  const listening = await listen(person);

  const failing = world.inTenant(person.tenant, async (scope) => {
    await announce(scope, study('not changed'));
    throw new Error('the change failed');
  });
  await expect(failing).rejects.toThrow('the change failed');
  await announceEvent(person.tenant, study('changed'));

  expect(await receiveEvents(listening)).toEqual([study('changed')]);
});

test('repeated changes cause one event, and very many changes cause one event to reload everything', async () => {
  const person = await world.signIn();
  const listening = await listen(person);

  announceStudiesBatched(world.context.scopes, person.tenant.id, ['a', 'b']);
  announceStudiesBatched(world.context.scopes, person.tenant.id, ['b', 'a']);
  await receiveEvents(listening, 2);
  announceStudiesBatched(world.context.scopes, person.tenant.id, Array.from({ length: 1000 }, newId));

  expect(await receiveEvents(listening, 3)).toEqual([study('a'), study('b'), { kind: 'everything' }]);
});

test('a new listener also receives the events of the moment before it connected', async () => {
  const person = await world.signIn();
  const early = await listen(person);
  await announceEvent(person.tenant, study('just now'));
  await receiveEvents(early);

  const late = await listen(person);

  expect(await receiveEvents(late)).toEqual([study('just now')]);
});

test('a referring physician receives events of their own studies and patients, and a patient receives none', async () => {
  const physician = await world.signIn('REFERRING_PHYSICIAN');
  const patient = await world.signIn('PATIENT', physician.tenant);
  const listening = await listen(physician);
  const { theirs, other } = await world.inTenant(physician.tenant, async (scope) => {
    const [first, second] = [await addStudy(scope), await addStudy(scope)];
    const concerns = { study_id: first.id, user_id: physician.userId, role: 'SHARED' } as const;
    await scope.db.insertInto('study_participants').values(concerns).execute();
    const rows = await scope.db.selectFrom('studies').select(['id', 'patient_id']).execute();
    const patientOf = (id: string) => rows.find((row) => row.id === id)?.patient_id ?? '';
    return {
      theirs: { studyId: first.id, patientId: patientOf(first.id) },
      other: { studyId: second.id, patientId: patientOf(second.id) },
    };
  });

  for (const { studyId, patientId } of [other, theirs]) {
    await announceEvent(physician.tenant, study(studyId));
    await announceEvent(physician.tenant, study(studyId), [physician.userId]);
    await announceEvent(physician.tenant, { kind: 'chat', studyId });
    await announceEvent(physician.tenant, { kind: 'patient', patientId });
    await announceEvent(physician.tenant, { kind: 'job', jobId: newId() });
  }

  // The user receives two events about the study, one about its chat and one about its patient.
  await receiveEvents(listening, 4);
  expect(new Set(listening.events.flatMap((event) => Object.values(event).slice(1)))).toEqual(
    new Set(Object.values(theirs)),
  );
  expect((await listen(patient)).response.status).toBe(204);
});

test('a referring physician who loses a study reloads everything and receives no further events of it', async () => {
  const admin = await world.signIn('ADMIN');
  const physician = await world.signIn('REFERRING_PHYSICIAN', admin.tenant);
  const id = await newStudy(admin);
  await assign(admin, id, [physician]);
  const listening = await listen(physician);

  await unassign(admin, id, physician);

  await eventually(() => expect(listening.events).toContainEqual({ kind: 'everything' }));
});

test('a referring physician receives chat events of a study only after an invitation', async () => {
  const referrer = await world.signIn('REFERRING_PHYSICIAN');
  const { tenant, userId: user_id } = referrer;
  const listening = await listen(referrer);
  const study_id = await world.inTenant(tenant, async (scope) => {
    const { id } = await addStudy(scope);
    await scope.db.insertInto('study_participants').values({ study_id: id, user_id, role: 'REFERRER' }).execute();
    return id;
  });
  const message = { kind: 'chat', studyId: study_id } as const;

  await announceEvent(tenant, message);
  await announceEvent(tenant, message, [user_id]);
  await announceEvent(tenant, study(study_id));
  const before = [...(await receiveEvents(listening))];
  await world.inTenant(tenant, ({ db }) =>
    db.insertInto('chat_invitations').values({ study_id, user_id, invited_by: user_id }).execute(),
  );
  await announceEvent(tenant, message);

  expect(before).toEqual([study(study_id)]);
  expect(await receiveEvents(listening, 2)).toEqual([study(study_id), message]);
});

test('a user receives no events about data that they may not request', async () => {
  const tenant = await world.newTenant();
  await world.inTenant(tenant, ({ db }) =>
    db
      .updateTable('roles')
      .set({ permissions: ['study.view'] })
      .execute(),
  );
  const person = await world.signIn('RADIOLOGIST', tenant);
  const listening = await listen(person);

  await announceEvent(person.tenant, { kind: 'chat', studyId: newId() });
  await announceEvent(person.tenant, { kind: 'patient', patientId: newId() });
  await announceEvent(person.tenant, { kind: 'job', jobId: newId() });
  await announceEvent(person.tenant, study('allowed'));

  expect(await receiveEvents(listening)).toEqual([study('allowed')]);
});

test('another server of the same database delivers events of this server', async () => {
  const elsewhere = await spawnServer(world);
  const person = await world.signIn();
  const listening = await listen(person, { server: elsewhere.address });

  await announceEvent(person.tenant, study('announced here'));

  expect(await receiveEvents(listening)).toEqual([study('announced here')]);
});

test('a stopping server does not wait for listening browsers', async () => {
  const elsewhere = await spawnServer(world);
  const listening = await listen(await world.signIn(), { server: elsewhere.address });

  await elsewhere.stop();

  expect(await hasEnded(listening)).toBe(true);
});

test('signing out ends the event stream', async () => {
  const person = await world.signIn();
  const listening = await listen(person);

  await person.send(sessions.logout);

  expect(await hasEnded(listening)).toBe(true);
});

test('event streams end when another server revokes the session or the user is deactivated', async () => {
  const [revoked, inactive, stays] = [await world.signIn(), await world.signIn(), await world.signIn()];
  const [one, two, three] = [await listen(revoked), await listen(inactive), await listen(stays)];
  const { owner } = world;

  const ended = { revoked_at: '2026-01-01T00:00:00Z' };
  await owner.updateTable('sessions').set(ended).where('user_id', '=', revoked.userId).execute();
  await owner.updateTable('users').set({ is_active: false }).where('id', '=', inactive.userId).execute();

  expect([await hasEnded(one), await hasEnded(two)]).toEqual([true, true]);
  await announceEvent(stays.tenant, study('still heard'));
  expect(await receiveEvents(three)).toEqual([study('still heard')]);
});

test("an event stream ends when the user's permissions change, so that the browser connects again", async () => {
  const person = await world.signIn();
  const listening = await listen(person);

  await world.inTenant(person.tenant, ({ db }) => db.deleteFrom('user_roles').execute());

  expect(await hasEnded(listening)).toBe(true);
});

test('an open event stream does not extend its session, and ends with it', async () => {
  const person = await world.signIn();
  const idleMinutes = world.context.config.sessionIdleMinutes;
  const almostIdle = sql<string>`now() - make_interval(mins => ${idleMinutes}) + interval '3 seconds'`;
  await world.owner
    .updateTable('sessions')
    .set({ last_seen_at: almostIdle })
    .where('user_id', '=', person.userId)
    .execute();

  world.context.sessions.forget();
  const listening = await listen(person);

  expect(listening.response.status).toBe(200);
  expect(await hasEnded(listening)).toBe(true);
  expect(await person.send(importJobs.list)).toMatchObject({ status: 401 });
});

test('after a broken database connection is replaced, all listeners reload everything', async () => {
  const person = await world.signIn();
  const listening = await listen(person);

  const broken = await lines();
  await sql`select pg_terminate_backend(pid) from unnest(${broken.map(({ pid }) => pid)}::int[]) pid`.execute(
    world.owner,
  );
  await receiveEvents(listening);
  await announceEvent(person.tenant, study('afterwards'));

  expect(await receiveEvents(listening, 2)).toEqual([{ kind: 'everything' }, study('afterwards')]);
});

test('disconnects a listener that does not read, and continues to serve the others', async () => {
  const person = await world.signIn();
  const listening = await listen(person);
  const slow = await world.app.inject({
    url: live.path,
    headers: { authorization: `Bearer ${person.token}` },
    payloadAsStream: true,
  });
  const unread = slow.stream();
  const disconnected = new Promise<boolean>((resolve) => {
    unread.on('error', () => resolve(true)).on('close', () => resolve(true));
  });
  const long = 'x'.repeat(7000);

  for (let round = 1; round <= 24; round += 1) {
    await announceEvent(person.tenant, study(`${round} ${long}`));
    await receiveEvents(listening, round);
  }

  expect(await disconnected).toBe(true);
});

test('above the limit of event streams per user, the oldest stream ends', async () => {
  const person = await world.signIn();
  const first = await listen(person);
  const others: Listening[] = [];
  for (let count = 0; count < 16; count += 1) others.push(await listen(person));

  expect(await hasEnded(first)).toBe(true);
  await announceEvent(person.tenant, study('heard by the others'));
  for (const other of others) expect(await receiveEvents(other)).toEqual([study('heard by the others')]);
});

test('a browser that opens the event stream again too often must wait', async () => {
  const person = await world.signIn();

  const statuses: number[] = [];
  for (let count = 0; count < 130; count += 1) {
    const answer = await person.request({ method: 'GET', url: live.path });
    statuses.push(answer.statusCode);
  }

  expect(new Set(statuses)).toEqual(new Set([200, 429]));
});

test('the headers of the event stream prevent proxies from buffering and compressing it', async () => {
  const { response } = await listen(await world.signIn(), { headers: { 'accept-encoding': 'gzip, br' } });

  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  });
  expect(response.headers.has('content-encoding')).toBe(false);
});
