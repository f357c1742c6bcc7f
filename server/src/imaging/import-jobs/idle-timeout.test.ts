import { setTimeout } from 'node:timers/promises';
import { importJobs } from '@radwork/contract/imaging/import-jobs';
import { expect, onTestFinished, test } from 'vitest';
import { storeAs } from '#test/archive-calls.ts';
import { startFaultyArchive } from '#test/faulty-archive.ts';
import { newImages } from '#test/remote-images.ts';
import { importSteps, reachingThisMachine, storedInstances } from '#test/import-steps.ts';
import { createWorld } from '#test/world.ts';
import { startImports } from './jobs.ts';

const world = await createWorld(reachingThisMachine);
const { configure, start, ended, read } = importSteps(world);

const idleTimeoutMs = 3000;

/**
 * Imports from an archive that sends three series of ten images, and then for a long time only instances that were not
 * requested.
 */
const prepare = async () => {
  const archiveFiles = newImages(6, 10);
  const archive = await startFaultyArchive(archiveFiles);
  onTestFinished(archive.stop);
  archive.misbehave('sends others now and then', 3);
  const person = await world.signIn();
  const job = await start(person, await configure(person, archive.url), archiveFiles[0]?.study ?? '');
  const retries = { most: 5, firstPauseMs: 1 };
  onTestFinished(startImports(world.context, world.url, { onError: () => {}, retries, idleTimeoutMs }));
  return { kept: archiveFiles, archive, person, job };
};

test('gives up an archive that sends only unrequested instances, and a retry fetches the rest', async () => {
  const { archive, person, job } = await prepare();

  const partial = await ended(person, job);
  archive.recover();
  await person.send(importJobs.retry, { params: { id: job.id } });
  const done = await ended(person, job);

  expect(partial).toMatchObject({ state: 'PARTIAL', expected: 60, received: 30, failed: 30, attempts: 1 });
  expect(partial.cause).toBe(
    'The archive answered but sent no requested data for too long. Received 30 of 60 instances.',
  );
  expect(done).toMatchObject({ state: 'DONE', received: 60, failed: 0 });
});

test('an import continues while requested instances arrive on another connection, as with C-MOVE', async () => {
  const { kept: archiveFiles, person, job } = await prepare();
  await expect.poll(async () => (await read(person, job)).received).toBe(30);
  const stored = new Set(await storedInstances(world, person, job.studyInstanceUID));
  const missing = archiveFiles.filter(({ instance }) => !stored.has(instance));

  const states: string[] = [];
  for (const { bytes } of missing.slice(0, 6)) {
    await storeAs(person, { name: 'one.dcm', bytes });
    await setTimeout(idleTimeoutMs / 3);
    states.push((await read(person, job)).state);
  }
  const { cause } = await ended(person, job);

  expect(new Set(states)).toEqual(new Set(['RUNNING']));
  expect(cause).toMatch(/sent no requested data/);
});
