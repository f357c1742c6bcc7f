import { importJobs, isActive } from '@radwork/contract/imaging/import-jobs';
import { newUid } from '@radwork/dicom/uid';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { storeAs } from '#test/archive-calls.ts';
import type { Fault } from '#test/faulty-answers.ts';
import { startFaultyArchive } from '#test/faulty-archive.ts';
import { newImages } from '#test/remote-images.ts';
import { importSteps, reachingThisMachine, storedInstances } from '#test/import-steps.ts';
import { createWorld, type Person } from '#test/world.ts';
import { startImports } from './jobs.ts';
import { importStudy } from './run-import.ts';

const world = await createWorld(reachingThisMachine);
const { configure, start, ended, read } = importSteps(world);

const work = (retries = { most: 0, firstPauseMs: 5 }) => {
  const errors: unknown[] = [];
  onTestFinished(
    startImports(world.context, world.url, { onError: (error) => errors.push(error), retries, pauseSeconds: 1 }),
  );
  return errors;
};

/** Starts an archive with a study of six series of ten images, and requests the import of the study. */
const prepare = async (fault: Fault, after: number) => {
  const archiveFiles = newImages(6, 10);
  const archive = await startFaultyArchive(archiveFiles);
  onTestFinished(archive.stop);
  archive.misbehave(fault, after);
  const person = await world.signIn();
  const job = await start(person, await configure(person, archive.url), archiveFiles[0]?.study ?? '');
  return { kept: archiveFiles, archive, person, job };
};

/** True when the tenant of the user contains only images of the archive's study. */
const isNothingElseStored = async (person: Person, archiveFiles: readonly { instance: string }[]): Promise<boolean> => {
  const known = new Set(archiveFiles.map(({ instance }) => instance));
  const rows = await world.inTenant(person.tenant, ({ db }) => db.selectFrom('instances').selectAll().execute());
  return rows.every(({ sop_instance_uid }) => known.has(sop_instance_uid));
};

const halfWay: [Fault, received: number, cause: RegExp][] = [
  ['answers 500', 30, /^The archive reported an internal error \(500\)\. Received 30 of 60 instances\.$/],
  ['answers 503', 30, /\(503\)\. Received 30 of 60 instances\.$/],
  ['answers 401', 30, /rejected the credentials \(401\)\. Received 30 of 60/],
  ['answers nothing', 30, /did not answer in time\..* 30 of 60/],
  ['stalls in the middle', 42, /stopped answering\. Received 42 of 60/],
  ['resets in the middle', 42, /closed the connection .*\. Received 42 of 60/],
  ['ends in the middle', 42, /ended its answer in the middle of a file\. Received 42 of 60/],
  ['leaves out the end', 57, /ended its answer in the middle of a file\. Received 57 of 60/],
  ['cuts a part', 57, /^Files were refused\. The file is incomplete: .* 57 of 60/],
  ['uses another boundary', 30, /30 of 60/],
  ['answers HTML', 30, /Unexpected service\..* Received 30 of 60/],
  ['sends nothing', 30, /^The archive did not send 30 of 60 instances$/],
  ['sends another study', 30, /^Files were refused\. Study UID does not match\. Received 30 of 60 instances\.$/],
  ['redirects', 30, /redirects to another address.* 30 of 60/],
];

test.for(halfWay)(
  'when the archive %s halfway, the import says so and a retry fetches the rest',
  async ([fault, received, cause]) => {
    const { kept: archiveFiles, archive, person, job } = await prepare(fault, 3);
    const errors = work();

    const partial = await ended(person, job);
    const stored = await storedInstances(world, person, job.studyInstanceUID);
    archive.recover();
    archive.asked.length = 0;
    await person.send(importJobs.retry, { params: { id: job.id } });
    const done = await ended(person, job);

    const missing = archiveFiles.filter(({ instance }) => !stored.includes(instance));
    expect(partial).toMatchObject({ state: 'PARTIAL', expected: 60, received, failed: 60 - received });
    expect(partial.cause).toMatch(cause);
    expect(stored).toHaveLength(received);
    expect(partial.failures.map(({ sopInstanceUID }) => sopInstanceUID)).toEqual(
      expect.arrayContaining(missing.map(({ instance }) => instance)),
    );
    expect(done).toMatchObject({ state: 'DONE', received: 60, failed: 0, cause: '', failures: [] });
    const requestedFiles = archive.asked.filter((path) => !path.includes('?'));
    // A retry does not request complete series, and requests each other series at most once.
    expect(requestedFiles.every((path) => missing.some(({ series }) => path.includes(series)))).toBe(true);
    expect(new Set(requestedFiles).size).toBe(requestedFiles.length);
    expect(await isNothingElseStored(person, archiveFiles)).toBe(true);
    expect(errors).toEqual([]);
  },
);

test('an import ignores garbage among the files and receives all requested instances', async () => {
  const { kept: archiveFiles, person, job } = await prepare('sends garbage among the files', 0);
  work();

  expect(await ended(person, job)).toMatchObject({ state: 'DONE', received: 60, failures: [] });
  expect(await isNothingElseStored(person, archiveFiles)).toBe(true);
});

test('aborts a file without an end and stores nothing of it', async () => {
  const { person, job } = await prepare('sends a part without an end', 0);
  work();

  const failed = await ended(person, job);

  expect(failed).toMatchObject({ state: 'FAILED', expected: 60, received: 0, failed: 60 });
  expect(failed.cause).toMatch(/larger/);
});

test.for<[Fault, RegExp]>([
  ['search answers 500', /\(500\)/],
  ['search answers 401', /rejected the credentials \(401\)\.$/],
  ['search answers HTML', /Unexpected service/],
  ['search is not JSON', /Unexpected service/],
  ['search answers nothing', /did not answer in time/],
  ['search redirects', /redirects to another address/],
])('when the archive cannot list the study (%s), nothing is fetched and the cause is shown', async ([fault, cause]) => {
  const { archive, person, job } = await prepare(fault, 0);
  work();

  const failed = await ended(person, job);

  expect(failed).toMatchObject({ state: 'FAILED', expected: null, received: 0, failed: 0 });
  expect(failed.cause).toMatch(cause);
  expect(archive.asked.every((path) => path.includes('?'))).toBe(true);
});

test('an import is not complete if the archive silently truncates its lists', async () => {
  const { archive, person, job } = await prepare('search cuts lists of images', 0);
  work();

  const partial = await ended(person, job);
  archive.recover();
  await person.send(importJobs.retry, { params: { id: job.id } });
  const done = await ended(person, job);

  expect(partial).toMatchObject({
    state: 'PARTIAL',
    expected: 60,
    received: 24,
    failed: 36,
    cause: 'The archive reports 60 instances but lists 24. All of them were received.',
  });
  expect(done).toMatchObject({ state: 'DONE', expected: 60, received: 60, failed: 0, cause: '' });
});

test('an import is not complete if the archive reports that its lists are truncated', async () => {
  const { archive, person, job } = await prepare('search says that it cuts lists of images', 0);
  work();

  const partial = await ended(person, job);
  archive.misbehave('search answers 401');
  await person.send(importJobs.retry, { params: { id: job.id } });
  const unasked = await ended(person, job);
  archive.recover();
  await person.send(importJobs.retry, { params: { id: job.id } });
  const done = await ended(person, job);

  expect(partial).toMatchObject({
    state: 'PARTIAL',
    expected: 24,
    received: 24,
    failed: 0,
    cause: 'The archive reports that its lists are incomplete.',
  });
  expect(unasked).toMatchObject({ state: 'PARTIAL', expected: 24, received: 24 });
  expect(done).toMatchObject({ state: 'DONE', expected: 60, received: 60, failed: 0, cause: '' });
});

test('a server that lost an import to another server cannot reset the state of the import', async () => {
  const { person, job } = await prepare('answers 500', 60);
  const [mine, otherWorker] = [1, 2];
  const giveTo = (worker: number) =>
    world.owner
      .updateTable('jobs')
      .set({ worker, leased_until: '2099-01-01T00:00:00Z' })
      .where('id', '=', job.id)
      .execute();
  await giveTo(mine);
  const run = importStudy({
    context: world.context,
    openSource: async () => {
      await giveTo(otherWorker);
      throw new Error('the database is gone');
    },
    retries: { most: 0, firstPauseMs: 1 },
    onError: () => {},
  });

  const running = run(
    { id: job.id, tenantId: person.tenant.id, worker: mine, attempt: 1 },
    new AbortController().signal,
  );

  await expect(running).rejects.toThrow('the database is gone');
  expect(await read(person, job)).toMatchObject({ state: 'RUNNING' });
});

test('retries a failing archive automatically, but only for missing instances', async () => {
  const { archive, person, job } = await prepare('answers 500', 4);
  work({ most: 5, firstPauseMs: 300 });

  await expect.poll(() => archive.asked.filter((path) => !path.includes('?')).length).toBeGreaterThan(4);
  archive.recover();

  expect(await ended(person, job)).toMatchObject({ state: 'DONE', received: 60, cause: '' });
});

test('tries a failing or busy archive six times, and an archive that refuses our request only once', async () => {
  const failing = await prepare('search answers 500', 0);
  const refusing = await prepare('search answers 401', 0);
  const busy = await prepare('search answers 429', 0);
  work({ most: 5, firstPauseMs: 1 });

  expect(await ended(busy.person, busy.job)).toMatchObject({
    state: 'FAILED',
    attempts: 6,
    cause: 'The archive is busy. Try again later (429).',
  });
  expect(await ended(failing.person, failing.job)).toMatchObject({ state: 'FAILED', attempts: 6 });
  expect(await ended(refusing.person, refusing.job)).toMatchObject({ state: 'FAILED', attempts: 1 });
});

test('shows a readable cause when the archive is unreachable, not allowed or has no image of the study', async () => {
  const person = await world.signIn();
  const empty = await startFaultyArchive();
  onTestFinished(empty.stop);
  const import_ = async (url: string) => ended(person, await start(person, await configure(person, url), newUid()));
  work();

  expect((await import_('http://127.0.0.1:1')).cause).toMatch(/refuse/);
  expect((await import_('http://192.0.2.1:80')).cause).toMatch(/allow/);
  expect((await import_(empty.url)).cause).toBe('The archive has no images of this study');
});

test('an import waits while our own server has a fault, then continues', async () => {
  const { person, job } = await prepare('answers 500', 60);
  await sql`revoke insert on instances from radwork_app`.execute(world.owner);
  const errors = work();

  await expect.poll(() => errors[0]).toMatchObject({ message: 'permission denied for table instances' });
  const waiting = await read(person, job);
  await sql`grant insert on instances to radwork_app`.execute(world.owner);
  const done = await ended(person, job);

  expect(done).toMatchObject({ state: 'DONE', received: 60, failed: 0 });
  expect(isActive(waiting.state)).toBe(true);
});

test('gives up an import during which the server fails repeatedly', async () => {
  const { person, job } = await prepare('answers 500', 3);
  await world.owner.updateTable('jobs').set({ attempts: 5 }).where('id', '=', job.id).execute();
  work();

  expect(await ended(person, job)).toMatchObject({
    state: 'FAILED',
    cause: expect.stringMatching(/^The server failed 5 times .* retry\.$/),
  });
});

test('a study in the recycle bin is not imported again', async () => {
  const { kept: archiveFiles, archive, person, job } = await prepare('answers 500', 3);
  await storeAs(person, ...archiveFiles.slice(0, 1).map(({ bytes }) => ({ name: 'one.dcm', bytes })));
  await world.inTenant(person.tenant, ({ db }) =>
    db.updateTable('studies').set({ deleted_at: '2026-11-20T09:30:00Z' }).execute(),
  );
  work();

  const failed = await ended(person, job);

  expect(failed.cause).toBe('The study is in the recycle bin. Restore it before importing it.');
  expect(archive.asked).toEqual([]);
});

test('an import whose configuration was deleted fails and gives the reason', async () => {
  const { person, job } = await prepare('answers 500', 0);
  await world.owner.deleteFrom('remote_configurations').where('id', '=', job.remoteConfigId).execute();
  work();

  expect(await ended(person, job)).toMatchObject({
    state: 'FAILED',
    cause: 'The remote archive is no longer configured',
  });
});

test('a retry that cannot reach the archive keeps the earlier results', async () => {
  const { archive, person, job } = await prepare('answers 500', 3);
  work();
  const partial = await ended(person, job);
  archive.misbehave('search answers 401');

  await person.send(importJobs.retry, { params: { id: job.id } });
  const again = await ended(person, job);

  expect(again).toMatchObject({ state: 'PARTIAL', expected: 60, received: 30, failed: 30 });
  expect(again.cause).toMatch(/401/);
  expect(again.failures).toEqual(partial.failures);
});
