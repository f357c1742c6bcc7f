import { importJobs, type ImportJob } from '@radwork/contract/imaging/import-jobs';
import { notifications } from '@radwork/contract/identity/notifications';
import { expect, onTestFinished, test } from 'vitest';
import { StorageUnavailable } from '#core/blobs/blob-store.ts';
import type { Fault } from '#test/faulty-answers.ts';
import { startFaultyArchive } from '#test/faulty-archive.ts';
import { newImages } from '#test/remote-images.ts';
import { importSteps, reachingThisMachine, storedInstances } from '#test/import-steps.ts';
import { createWorld, type Person } from '#test/world.ts';
import { startImports } from './jobs.ts';
import { importQueue } from './service.ts';

const world = await createWorld(reachingThisMachine);
const { configure, start, ended, read } = importSteps(world);

const work = (retries = { most: 0, firstPauseMs: 5 }) =>
  onTestFinished(startImports(world.context, world.url, { onError: () => {}, retries }));

/** Starts an archive with a study of six series of ten images, and requests the import of the study. */
const prepare = async (fault?: Fault, after = 0) => {
  const archiveFiles = newImages(6, 10);
  const archive = await startFaultyArchive(archiveFiles);
  onTestFinished(archive.stop);
  if (fault) archive.misbehave(fault, after);
  const person = await world.signIn();
  const configId = await configure(person, archive.url);
  const study = archiveFiles[0]?.study ?? '';
  return { kept: archiveFiles, archive, person, configId, study, job: await start(person, configId, study) };
};

/**
 * Restores the state of an import whose server was killed after the last instance arrived, before it recorded the end.
 */
const leaveUnsaid = async (person: Person, { id }: ImportJob, attempts = 1) => {
  await world.owner
    .updateTable('import_jobs')
    .set({ state: 'RUNNING', finished_at: null })
    .where('id', '=', id)
    .execute();
  await world.owner
    .insertInto('jobs')
    .values({ id, queue: importQueue, tenant_id: person.tenant.id, attempts })
    .execute();
};

const auditedOutcomes = async ({ id }: ImportJob): Promise<string[]> => {
  const entries = await world.owner
    .selectFrom('audit_entries')
    .select('outcome')
    .where('entity_id', '=', id)
    .where('action', '=', 'import.end')
    .orderBy('id')
    .execute();
  return entries.map(({ outcome }) => outcome);
};

/** Runs an import to the end, then restores the state of a server that was killed before it recorded the end. */
const prepareUnsaid = async (attempts?: number) => {
  const prepared = await prepare();
  const stop = startImports(world.context, world.url, { onError: () => {} });
  await ended(prepared.person, prepared.job);
  await stop();
  await leaveUnsaid(prepared.person, prepared.job, attempts);
  return prepared;
};

test('an import whose study was deleted during the import fails with no instance received', async () => {
  const { person, job } = await prepareUnsaid();
  await world.inTenant(person.tenant, ({ db }) =>
    db.updateTable('studies').set({ deleted_at: '2026-11-20T09:30:00Z' }).execute(),
  );
  work();

  const failed = await ended(person, job);

  expect(failed).toMatchObject({ state: 'FAILED', expected: 60, received: 0, failed: 60 });
  expect(failed.cause).toMatch(/recycle bin/);
  expect(await auditedOutcomes(job)).toEqual(['SUCCESS', 'FAILURE']);
  expect((await person.send(notifications.list)).data.content[0]).toMatchObject({ title: 'Import failed' });
});

test('refuses to import into a study that the requester cannot see, and reveals nothing about it', async () => {
  const { person, job, kept: archiveFiles, configId, study } = await prepare();
  work();
  await ended(person, job);
  await world.inTenant(person.tenant, ({ db }) =>
    db
      .updateTable('roles')
      .set({ permissions: ['study.import', 'study.view'] })
      .where('built_in_for', '=', 'REFERRING_PHYSICIAN')
      .execute(),
  );
  const referrer = await world.signIn('REFERRING_PHYSICIAN', person.tenant);

  const refused = await ended(referrer, await start(referrer, configId, study));

  expect(refused).toMatchObject({ state: 'FAILED', expected: null, received: 0, studyId: null });
  expect(refused.cause).toBe('You cannot add files to this study. Ask an administrator for access.');
  expect(await storedInstances(world, person, study)).toHaveLength(archiveFiles.length);
});

test('an import is not done while the archive could not confirm that it is complete', async () => {
  const { archive, person, job } = await prepareUnsaid();
  archive.misbehave('search answers 401');
  work();

  const partial = await ended(person, job);
  archive.recover();
  await person.send(importJobs.retry, { params: { id: job.id } });
  const done = await ended(person, job);

  expect(partial).toMatchObject({ state: 'PARTIAL', expected: 60, received: 60, failed: 0 });
  expect(partial.cause).toMatch(/401/);
  expect(done).toMatchObject({ state: 'DONE', expected: 60, received: 60, cause: '' });
  expect(await auditedOutcomes(job)).toEqual(['SUCCESS', 'FAILURE', 'SUCCESS']);
});

test('an import that is given up does not count as done, even if an earlier attempt fetched everything', async () => {
  const { person, job } = await prepareUnsaid(5);
  work();

  expect(await ended(person, job)).toMatchObject({ state: 'PARTIAL', expected: 60, received: 60 });
});

test('instances that the archive listed earlier remain expected when a later list is shorter', async () => {
  const { kept: archiveFiles, person, job } = await prepare('forgets what it is asked for', 3);
  const listedUids = archiveFiles.map(({ instance }) => instance);
  work({ most: 5, firstPauseMs: 1 });

  const partial = await ended(person, job);

  const stored = new Set(await storedInstances(world, person, job.studyInstanceUID));
  expect(archiveFiles).toHaveLength(30);
  expect(partial).toMatchObject({ state: 'PARTIAL', expected: 60, received: 30, failed: 30 });
  expect(partial.failures.map(({ sopInstanceUID }) => sopInstanceUID)).toEqual(
    listedUids.filter((uid) => !stored.has(uid)).toSorted(),
  );
});

test('an import is partial, with a readable cause, when the archive lists fewer instances than before', async () => {
  const { kept: archiveFiles, archive, person, configId, study, job } = await prepare('answers 500', 3);
  work();
  const again = async () => {
    await person.send(importJobs.retry, { params: { id: job.id } });
    return ended(person, job);
  };
  const first = await ended(person, job);
  const stored = new Set(await storedInstances(world, person, study));
  archive.recover();
  const lost = archiveFiles.filter(({ instance }) => !stored.has(instance)).slice(0, 15);
  const remaining = archiveFiles.filter((archiveFile) => !lost.includes(archiveFile));

  archiveFiles.splice(0, 60, ...remaining);
  const fewer = await again();
  archiveFiles.splice(0, 45);
  const none = await again();
  archiveFiles.push(...remaining);
  const anew = await ended(person, await start(person, configId, study));

  expect(first).toMatchObject({ state: 'PARTIAL', expected: 60, received: 30, failed: 30 });
  expect(fewer).toMatchObject({
    state: 'PARTIAL',
    expected: 60,
    received: 45,
    failed: 15,
    cause:
      'The archive lists 45 instances, 15 fewer than before. All of them were received. If the others were removed there, start a new import.',
  });
  expect(fewer.failures.map(({ sopInstanceUID }) => sopInstanceUID)).toEqual(
    lost.map(({ instance }) => instance).toSorted(),
  );
  expect(none).toMatchObject({ state: 'PARTIAL', expected: 60, received: 45, failed: 15, failures: fewer.failures });
  expect(none.cause).toMatch(/^The archive lists 0 instances, 60 fewer than before\. If /);
  expect(anew).toMatchObject({ state: 'DONE', expected: 45, received: 45, cause: '' });
});

test('while storage is unavailable, an import waits without a time limit and shows the reason', async () => {
  const { person, job } = await prepare();
  await world.owner.updateTable('jobs').set({ attempts: 4 }).where('id', '=', job.id).execute();
  const { blobs } = world.context;
  const away = new StorageUnavailable('ECONNREFUSED');
  let isAway = true;
  const receive: typeof blobs.receive = (...args) => (isAway ? Promise.reject(away) : blobs.receive(...args));
  const errors: unknown[] = [];
  const context = { ...world.context, blobs: { ...blobs, receive } };
  const onError = (error: unknown) => errors.push(error);
  onTestFinished(startImports(context, world.url, { onError, retries: { most: 0, firstPauseMs: 1 }, pauseSeconds: 1 }));

  await expect.poll(() => errors.length).toBeGreaterThan(2);
  const cause = expect.stringContaining('continue automatically');
  await expect.poll(() => read(person, job)).toMatchObject({ state: 'QUEUED', cause });
  isAway = false;
  const done = await ended(person, job);

  expect(new Set(errors)).toEqual(new Set([away]));
  expect(done).toMatchObject({ state: 'DONE', expected: 60, received: 60, cause: '' });
});
