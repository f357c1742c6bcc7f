import { importJobs, type ImportJob } from '@radwork/contract/imaging/import-jobs';
import { notifications } from '@radwork/contract/identity/notifications';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { Interruption } from '#core/jobs/jobs.ts';
import { RemoteError } from '#imaging/remote-archives/remote-source.ts';
import { startFaultyArchive } from '#test/faulty-archive.ts';
import { newImages } from '#test/remote-images.ts';
import { importSteps, reachingThisMachine } from '#test/import-steps.ts';
import { waitsForLock } from '#test/waits-for-lock.ts';
import { createWorld, type Person } from '#test/world.ts';
import { startImports } from './jobs.ts';
import { importStudy } from './run-import.ts';

const world = await createWorld(reachingThisMachine);
const { configure, start, ended, read } = importSteps(world);

const [mine, otherWorker] = [1, 2];

/** Requests an import of six series of ten images. */
const prepare = async () => {
  const archiveFiles = newImages(6, 10);
  const archive = await startFaultyArchive(archiveFiles);
  onTestFinished(archive.stop);
  const person = await world.signIn();
  const job = await start(person, await configure(person, archive.url), archiveFiles[0]?.study ?? '');
  return { archive, person, job };
};

const work = (retries = { most: 0, firstPauseMs: 5 }) =>
  startImports(world.context, world.url, { onError: () => {}, retries });

/** Prepares an import whose first run has fetched only half of the study. */
const prepareHalf = async () => {
  const prepared = await prepare();
  prepared.archive.misbehave('answers 500', 3);
  const stop = work();
  const partial = await ended(prepared.person, prepared.job);
  await stop();
  return { ...prepared, partial };
};

const giveTo = ({ id }: ImportJob, worker: number) =>
  world.owner.updateTable('jobs').set({ worker, leased_until: '2099-01-01T00:00:00Z' }).where('id', '=', id).execute();

/**
 * Runs an import as worker `mine`. When the import opens the archive, runs `happens`. Then the archive refuses the
 * connection.
 */
const runUntil = async (
  person: Person,
  job: ImportJob,
  happens: (controller: AbortController) => Promise<unknown>,
): Promise<void> => {
  await giveTo(job, mine);
  const controller = new AbortController();
  const run = importStudy({
    context: world.context,
    openSource: async () => {
      await happens(controller);
      throw new RemoteError('UNAUTHORIZED', 'The archive rejected the credentials');
    },
    retries: { most: 0, firstPauseMs: 1 },
    onError: () => {},
  });
  await run({ id: job.id, tenantId: person.tenant.id, worker: mine, attempt: 1 }, controller.signal);
};

const setImport = (job: ImportJob, columns: { state: 'QUEUED' | 'CANCELLED'; finished_at?: string }) =>
  world.owner.updateTable('import_jobs').set(columns).where('id', '=', job.id).execute();

test('does not report the result of an import that has ended already', async () => {
  const { person, job } = await prepare();

  await runUntil(person, job, () => setImport(job, { state: 'CANCELLED', finished_at: '2026-11-20T09:30:00Z' }));

  const actions = await world.owner
    .selectFrom('audit_entries')
    .select('action')
    .where('entity_id', '=', job.id)
    .where('action', '=', 'import.end')
    .execute();
  expect(await read(person, job)).toMatchObject({ state: 'CANCELLED', cause: '' });
  expect(actions).toEqual([]);
  expect((await person.send(notifications.list)).data.content).toEqual([]);
});

test('an import that was set back to waiting during its run still ends', async () => {
  const { person, job } = await prepare();

  await runUntil(person, job, () => setImport(job, { state: 'QUEUED' }));

  expect(await read(person, job)).toMatchObject({ state: 'FAILED', cause: /sign in/ });
});

test('a worker that lost an import does not count instances as missing while another worker fetches them', async () => {
  const { person, job, partial } = await prepareHalf();
  await person.send(importJobs.retry, { params: { id: job.id } });

  await runUntil(person, job, async (controller) => {
    await giveTo(job, otherWorker);
    controller.abort(new Interruption(false));
  });

  expect(partial.failed).toBe(30);
  expect(await read(person, job)).toMatchObject({ state: 'RUNNING', failed: 0 });
});

test('fetched instances no longer count as failures, even when a waiting retry is canceled', async () => {
  const { archive, person, job } = await prepareHalf();
  archive.misbehave('answers nothing', 1);
  const stop = work({ most: 5, firstPauseMs: 60_000 });

  await person.send(importJobs.retry, { params: { id: job.id } });
  await expect.poll(async () => (await read(person, job)).received).toBe(40);
  const running = await read(person, job);
  await stop();
  const { data: canceled } = await person.send(importJobs.cancel, { params: { id: job.id } });
  const { failures } = await read(person, job);

  expect(running).toMatchObject({ state: 'RUNNING', failed: 0 });
  expect(running.failures).toHaveLength(20);
  expect(canceled.state).toBe('CANCELLED');
  expect([canceled.received, canceled.failed, failures.length]).toEqual([40, 20, 20]);
});

test('refuses to cancel an import that ends at the same moment', async () => {
  const { person, job } = await prepare();

  const { cancelling } = await world.owner.transaction().execute(async (ending) => {
    await ending.deleteFrom('jobs').where('id', '=', job.id).execute();
    const cancellation = person.send(importJobs.cancel, { params: { id: job.id } });
    await waitsForLock(world);
    await ending
      .updateTable('import_jobs')
      .set({ state: 'DONE', finished_at: sql`now()` })
      .where('id', '=', job.id)
      .execute();
    // The promise is returned in an object, because an async function would wait for a returned promise before the
    // transaction ends.
    return { cancelling: cancellation };
  });
  const refused = await cancelling;

  expect(refused).toMatchObject({ code: 409, message: 'An import that is done cannot be canceled' });
});
