import { type ImportJob } from '@radwork/contract/import-jobs';
import { notifications } from '@radwork/contract/notifications';
import { expect, onTestFinished, test } from 'vitest';
import { RemoteError } from '#features/remote-archives/source.ts';
import { newImages, startFaultyArchive } from '#test/faulty-archive.ts';
import { importSteps, reachingThisMachine } from '#test/import-steps.ts';
import { createWorld, type Person } from '#test/world.ts';
import { importStudy } from './run-import.ts';

const world = await createWorld(reachingThisMachine);
const { configure, start, read } = importSteps(world);

const mine = 1;

/** An import of six series of ten images that somebody has asked for. */
const prepare = async () => {
  const kept = newImages(6, 10);
  const archive = await startFaultyArchive(kept);
  onTestFinished(archive.stop);
  const person = await world.signIn();
  const job = await start(person, await configure(person, archive.url), kept[0]?.study ?? '');
  return { person, job };
};

const giveTo = ({ id }: ImportJob, worker: number) =>
  world.owner.updateTable('jobs').set({ worker, leased_until: '2099-01-01T00:00:00Z' }).where('id', '=', id).execute();

/** Runs an import as this worker, to which something happens when the archive is to be asked, and then it fails so. */
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
      throw new RemoteError('UNAUTHORIZED', 'The archive does not accept how we sign in');
    },
    retries: { most: 0, firstPauseMs: 1 },
    onError: () => {},
  });
  await run({ id: job.id, tenantId: person.tenant.id, worker: mine, attempt: 1 }, controller.signal);
};

const setImport = (job: ImportJob, columns: { state: 'QUEUED' | 'CANCELLED'; finished_at?: string }) =>
  world.owner.updateTable('import_jobs').set(columns).where('id', '=', job.id).execute();

test('how an import went is not said once more of one that is over by then', async () => {
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

test('an import that was set back behind the back of who has it ends all the same', async () => {
  const { person, job } = await prepare();

  await runUntil(person, job, () => setImport(job, { state: 'QUEUED' }));

  expect(await read(person, job)).toMatchObject({ state: 'FAILED', cause: /sign in/ });
});
