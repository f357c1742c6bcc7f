import { createHash } from 'node:crypto';
import { importJobExport, importJobs } from '@radwork/contract/imaging/import-jobs';
import { newUid } from '@radwork/dicom/uid';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { sweepTenant } from '#imaging/archive/upkeep/sweep-tenant.ts';
import { agreeOnStore } from '#core/installation/installation.ts';
import { newId } from '#core/values/ids.ts';
import { orNotFound } from '#core/http/problem.ts';
import { getFrom, partsOf, storeAs } from '#test/archive-calls.ts';
import { eventually } from '#test/eventually.ts';
import { startFaultyArchive } from '#test/faulty-archive.ts';
import { newImages } from '#test/remote-images.ts';
import { importSteps, reachingThisMachine, storedInstances } from '#test/import-steps.ts';
import { createWorld, type Person } from '#test/world.ts';
import { startImports } from './jobs.ts';

const world = await createWorld(reachingThisMachine);
const { configure, start, ended, read } = importSteps(world);
await agreeOnStore(world.owner, world.context.blobs);

// If a test left jobs in the queue, they would occupy the worker of the next test.
afterEach(() => world.owner.deleteFrom('jobs').execute());

/** Runs the imports of this test world until the test ends. */
const work = (retries = { most: 0, firstPauseMs: 5 }) => {
  const errors: unknown[] = [];
  const stop = startImports(world.context, world.url, { onError: (error) => errors.push(error), retries });
  onTestFinished(stop);
  return { stop, errors };
};

/** Starts an archive with one study, signs in a user who may import, and configures the archive for the user. */
const prepare = async (seriesCount: number, instancesEach: number) => {
  const archiveFiles = newImages(seriesCount, instancesEach);
  const archive = await startFaultyArchive(archiveFiles);
  onTestFinished(archive.stop);
  const person = await world.signIn();
  const configId = await configure(person, archive.url);
  return { archive, person, configId, kept: archiveFiles, study: archiveFiles[0]?.study ?? '' };
};

const uidsOf = (archiveFiles: readonly { instance: string }[]) =>
  archiveFiles.map(({ instance }) => instance).toSorted();

const sha256Of = (bytes: Buffer = Buffer.alloc(0)) => createHash('sha256').update(bytes).digest('hex');

/** Deletes a file from the store and runs the check that detects it. */
const lose = async (person: Person, sha256: string) => {
  await world.context.blobs.remove(person.tenant.id, sha256);
  await sweepTenant(world.context, person.tenant.id);
};

const stateOf = async (...args: Parameters<typeof read>) => (await read(...args)).state;

test('imports every instance byte for byte, and shows the requester and the progress', async () => {
  const { person, configId, kept: archiveFiles, study } = await prepare(3, 4);
  const { errors } = work();

  const job = await start(person, configId, study);
  const done = await ended(person, job);

  expect(job).toMatchObject({ state: 'QUEUED', jobId: study, remoteName: 'OTHER', expected: null, received: 0 });
  expect(done).toMatchObject({ state: 'DONE', expected: 12, received: 12, failed: 0, cause: '', failures: [] });
  expect(done).toMatchObject({ requestedBy: person.session.name, patientName: 'Doe, Jane', attempts: 1 });
  const parts = await partsOf(await getFrom(person, `/studies/${study}`));
  expect(parts.map(({ body }) => body.toString('base64')).toSorted()).toEqual(
    archiveFiles.map(({ bytes }) => bytes.toString('base64')).toSorted(),
  );
  expect(errors).toEqual([]);
});

test('requests only missing instances, and a second import fetches nothing', async () => {
  const { archive, person, configId, kept: archiveFiles, study } = await prepare(1, 6);
  await storeAs(person, ...archiveFiles.slice(0, 4).map(({ bytes }, index) => ({ name: `${index}.dcm`, bytes })));
  work();

  const first = await ended(person, await start(person, configId, study));
  const second = await ended(person, await start(person, configId, study));

  expect([first, second]).toMatchObject([
    { state: 'DONE', received: 6 },
    { state: 'DONE', received: 6 },
  ]);
  expect(archive.asked.filter((path) => !path.includes('?'))).toEqual(
    uidsOf(archiveFiles.slice(4)).map((uid) => expect.stringMatching(`/instances/${uid}$`)),
  );
});

test('an image with a lost file is fetched again and no longer marked as missing', async () => {
  const { person, configId, kept: archiveFiles, study } = await prepare(1, 6);
  work();
  await ended(person, await start(person, configId, study));
  await lose(person, sha256Of(archiveFiles[0]?.bytes));

  const again = await ended(person, await start(person, configId, study));

  expect(again).toMatchObject({ state: 'DONE', expected: 6, received: 6 });
  const parts = await partsOf(await getFrom(person, `/studies/${study}`));
  expect(parts.map(({ body }) => sha256Of(body)).toSorted()).toEqual(
    archiveFiles.map(({ bytes }) => sha256Of(bytes)).toSorted(),
  );
});

test('a second request returns the active import, even if both arrive simultaneously (C61)', async () => {
  const { person, configId, study } = await prepare(1, 1);

  const [first, ...others] = await Promise.all(Array.from({ length: 5 }, () => start(person, configId, study)));
  work();
  await ended(person, orNotFound(first, 'import'));
  const later = await start(person, configId, study);

  expect(new Set(others.map(({ id }) => id))).toEqual(new Set([first?.id]));
  expect(later.id).not.toBe(first?.id);
});

test('shows the study data that the requester saw until the first image arrives', async () => {
  const person = await world.signIn();
  const configId = await configure(person, 'http://127.0.0.1:1');
  const parameters = { patientName: 'Roe^Richard', studyDescription: 'CT head' };

  const { data } = await person.send(importJobs.create, {
    body: { jobId: newUid(), remoteConfigId: configId, parameters },
  });

  expect(data).toMatchObject({ patientName: 'Roe, Richard', studyDescription: 'CT head', studyId: null });
});

test('an import requires an archive configuration that the caller may use', async () => {
  const [person, other] = [await world.signIn(), await world.signIn()];
  const foreign = await configure(other, 'http://127.0.0.1:1');
  const typed = await configure(person, 'http://127.0.0.1:1', { owner_id: newId() });
  const ask = (body: object) => person.send(importJobs.create, { body: { jobId: '1.2.3', ...body } });

  expect(await ask({})).toMatchObject({ code: 422, message: 'Please select a configuration' });
  expect(await ask({ remoteConfigId: foreign })).toMatchObject({ code: 404, message: 'Configuration not found' });
  expect(await ask({ remoteConfigId: 'x' })).toMatchObject({ code: 404, message: 'Configuration not found' });
  expect(await ask({ remoteConfigId: typed })).toMatchObject({ code: 404, message: 'Configuration not found' });
});

test('lists imports by state, latest first, without imports of other tenants', async () => {
  const [person, other] = [await world.signIn(), await world.signIn()];
  const configId = await configure(person, 'http://127.0.0.1:1');
  const [first, second] = [await start(person, configId, newUid()), await start(person, configId, newUid())];
  await person.send(importJobs.cancel, { params: { id: first.id } });

  const all = await person.send(importJobs.list);
  const queued = await person.send(importJobs.list, { query: { state: 'QUEUED' } });
  const elsewhere = await other.send(importJobs.list);

  expect(all.data.content.map(({ id }) => id)).toEqual([second.id, first.id]);
  expect(queued.data).toMatchObject({ totalElements: 1, content: [{ id: second.id }] });
  expect(elsewhere.data.totalElements).toBe(0);
});

test('exports the imports of a state as CSV, latest first, without those of other tenants', async () => {
  const { person, configId } = await prepare(1, 1);
  const [older, newer] = [await start(person, configId, newUid()), await start(person, configId, newUid())];
  const lines = async (by: Person, state: string) =>
    (await by.request({ method: 'GET', url: `${importJobExport.path}?state=${state}` })).body
      .split('\r\n')
      .slice(1, -1);

  const all = await lines(person, '');

  expect(all.map((line) => [older.jobId, newer.jobId].find((uid) => line.includes(uid)))).toEqual([
    newer.jobId,
    older.jobId,
  ]);
  expect(all[0]).toContain('"Queued"');
  expect(await lines(person, 'DONE')).toEqual([]);
  expect(await lines(await world.signIn(), '')).toEqual([]);
  const exports = await world.owner
    .selectFrom('audit_entries')
    .select(['username', 'detail'])
    .where('action', '=', 'import.exportList')
    .where('user_id', '=', person.userId)
    .execute();
  expect(exports.map(({ detail }) => detail)).toEqual([{ imports: 2 }, { imports: 0 }]);
});

test('a referring physician with permission to import sees only their own imports', async () => {
  const colleague = await world.signIn();
  const physician = await world.signIn('REFERRING_PHYSICIAN', colleague.tenant);
  await world.owner
    .updateTable('roles')
    .set({ permissions: ['study.import'] })
    .where('tenant_id', '=', colleague.tenant.id)
    .where('built_in_for', '=', 'REFERRING_PHYSICIAN')
    .execute();
  world.context.sessions.forget();
  const configId = await configure(colleague, 'http://127.0.0.1:1');
  const othersJob = await start(colleague, configId, newUid());

  const own = await start(physician, configId, newUid());
  const seen = await physician.send(importJobs.list);

  expect(seen.data.content.map(({ id }) => id)).toEqual([own.id]);
  expect(await physician.send(importJobs.read, { params: { id: othersJob.id } })).toMatchObject({ code: 404 });
});

test('a canceled import stops immediately, keeps the images that have arrived, and can be retried', async () => {
  const { archive, person, configId, kept: archiveFiles, study } = await prepare(4, 3);
  archive.misbehave('answers nothing', 2);
  work({ most: 5, firstPauseMs: 60_000 });
  const job = await start(person, configId, study);
  await eventually(async () => expect((await read(person, job)).received).toBe(6));

  const canceled = await person.send(importJobs.cancel, { params: { id: job.id } });
  archive.recover();
  const again = await person.send(importJobs.cancel, { params: { id: job.id } });
  const stored = await storedInstances(world, person, study);
  const retried = await person.send(importJobs.retry, { params: { id: job.id } });
  const done = await ended(person, job);

  expect(canceled.data).toMatchObject({ state: 'CANCELLED', received: 6, cause: '' });
  expect(again).toMatchObject({ code: 409, message: 'An import that is canceled cannot be canceled' });
  expect(stored).toHaveLength(6);
  expect(retried.data).toMatchObject({ state: 'QUEUED' });
  expect(done).toMatchObject({ state: 'DONE', received: 12 });
  expect(await storedInstances(world, person, study)).toEqual(uidsOf(archiveFiles));
});

test('a waiting import can be canceled and does not start', async () => {
  const { archive, person, configId, study } = await prepare(1, 1);
  const job = await start(person, configId, study);

  await person.send(importJobs.cancel, { params: { id: job.id } });
  const { stop } = work();
  const next = await ended(person, await start(person, configId, study));
  await stop();

  expect(next.state).toBe('DONE');
  expect(await stateOf(person, job)).toBe('CANCELLED');
  expect(archive.asked.filter((path) => !path.includes('?'))).toHaveLength(1);
});

test('refuses to retry an import that is done or active', async () => {
  const { person, configId, study } = await prepare(1, 1);
  const job = await start(person, configId, study);
  const retry = () => person.send(importJobs.retry, { params: { id: job.id } });

  expect(await retry()).toMatchObject({ code: 409, message: 'An import that is waiting cannot be retried' });
  work();
  await ended(person, job);
  expect(await retry()).toMatchObject({ code: 409, message: 'An import that is done cannot be retried' });
});

test('refuses to retry an earlier import while a later import of the same study is active', async () => {
  const person = await world.signIn();
  const configId = await configure(person, 'http://127.0.0.1:1');
  const study = newUid();
  const earlier = await start(person, configId, study);
  await person.send(importJobs.cancel, { params: { id: earlier.id } });
  await start(person, configId, study);

  const retried = await person.send(importJobs.retry, { params: { id: earlier.id } });

  expect(retried).toMatchObject({ code: 409, message: 'An import of this study is already running' });
});

test('an import has the permissions of its requester, and fetches nothing if the requester loses them', async () => {
  const { archive, person, configId, study } = await prepare(1, 1);
  const job = await start(person, configId, study);
  await world.owner.updateTable('users').set({ is_active: false }).where('id', '=', person.userId).execute();
  const colleague = await world.signIn('RADIOLOGIST', person.tenant);

  work();
  const failed = await ended(colleague, job);
  const retried = await colleague.send(importJobs.retry, { params: { id: job.id } });
  const done = await ended(colleague, job);

  expect(failed).toMatchObject({
    state: 'FAILED',
    cause: 'The user who started this import can no longer import studies',
  });
  expect(archive.asked.length).toBeGreaterThan(0);
  expect(retried.data.requestedBy).toBe(colleague.session.name);
  expect(done.state).toBe('DONE');
});

test('a visiting super administrator may import', async () => {
  const { person, configId, study } = await prepare(1, 2);
  const visitor = await world.signIn('SUPER_ADMIN');
  work();

  const headers = { 'x-tenantid': person.tenant.subdomain };
  const job = await start(visitor, configId, study, { headers });

  expect(await ended(person, job)).toMatchObject({ state: 'DONE', received: 2, requestedBy: visitor.session.name });
});

test('an import of a visiting super administrator fails when they may no longer visit the tenant', async () => {
  const { archive, person, configId, study } = await prepare(1, 1);
  const visitor = await world.signIn('SUPER_ADMIN');
  const job = await start(visitor, configId, study, { headers: { 'x-tenantid': person.tenant.subdomain } });
  await world.owner
    .updateTable('roles')
    .set({ permissions: ['study.import'] })
    .where('tenant_id', '=', visitor.tenant.id)
    .where('built_in_for', '=', 'SUPER_ADMIN')
    .execute();
  work();

  expect(await ended(person, job)).toMatchObject({ state: 'FAILED', received: 0 });
  expect(archive.asked).toEqual([]);
});

test('audits each step of an import under the name of its user', async () => {
  const { archive, person, configId, study } = await prepare(1, 2);
  archive.misbehave('answers 500');
  work();
  const job = await start(person, configId, study);
  await ended(person, job);
  await person.send(importJobs.retry, { params: { id: job.id } });
  await ended(person, job);

  const entries = await world.owner
    .selectFrom('audit_entries')
    .select(['action', 'username', 'outcome'])
    .where('entity_id', '=', job.id)
    .where('action', '!=', 'import.view')
    .orderBy('id')
    .execute();

  const { username } = person;
  expect(entries).toEqual([
    { action: 'import.start', username, outcome: 'SUCCESS' },
    { action: 'import.end', username, outcome: 'FAILURE' },
    { action: 'import.retry', username, outcome: 'SUCCESS' },
    { action: 'import.end', username, outcome: 'FAILURE' },
  ]);
});

test('a stopping server returns its import to the queue, and the next server continues it', async () => {
  const { archive, person, configId, study } = await prepare(4, 3);
  archive.misbehave('answers nothing', 2);
  const { stop } = work({ most: 5, firstPauseMs: 60_000 });
  const job = await start(person, configId, study);
  await eventually(async () => expect((await read(person, job)).received).toBe(6));

  await stop();
  const put = await read(person, job);
  archive.recover();
  work();
  const done = await ended(person, job);

  expect(put).toMatchObject({ state: 'QUEUED', received: 6, finishedDate: null });
  expect(done).toMatchObject({ state: 'DONE', received: 12 });
});
