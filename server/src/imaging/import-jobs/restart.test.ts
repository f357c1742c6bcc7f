import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '#test/eventually.ts';
import { startFaultyArchive } from '#test/faulty-archive.ts';
import { newImages } from '#test/remote-images.ts';
import { importSteps, reachingThisMachine, storedInstances } from '#test/import-steps.ts';
import { addressOf, startServer } from '#test/server-process.ts';
import { createWorld } from '#test/world.ts';

const world = await createWorld(reachingThisMachine);
const { configure, start, ended, read } = importSteps(world);

/** Starts a server process on the database and files of this test. No other server runs imports. */
const startWorking = async () => {
  const server = startServer({
    ...reachingThisMachine,
    REMOTE_TIMEOUT_SECONDS: '30',
    // The embedded database has a socket path as its host, but a URL also needs a host name.
    DATABASE_URL: world.url.replace('@/', '@localhost/'),
    DATA_DIR: world.dataDir,
  });
  await addressOf(server);
  return server;
};

/** Prepares an import of six series that waits in the third series, because the archive stalls. */
const prepareHalf = async () => {
  const archiveFiles = newImages(6, 10);
  const archive = await startFaultyArchive(archiveFiles);
  onTestFinished(archive.stop);
  const person = await world.signIn();
  archive.misbehave('stalls in the middle', 2);
  const job = await start(person, await configure(person, archive.url), archiveFiles[0]?.study ?? '');
  const server = await startWorking();
  await eventually(() => expect(archive.asked.filter((path) => !path.includes('?'))).toHaveLength(3));
  return { kept: archiveFiles, archive, person, job, server };
};

test('a killed server continues its import after a restart', async () => {
  const { kept: archiveFiles, archive, person, job, server } = await prepareHalf();

  server.child.kill('SIGKILL');
  await server.ended;
  const interruptedJob = await read(person, job);
  archive.recover();
  await startWorking();
  const done = await ended(person, job);

  expect(interruptedJob.state).toBe('RUNNING');
  expect(done).toMatchObject({ state: 'DONE', expected: 60, received: 60, failed: 0, attempts: 2 });
  expect(await storedInstances(world, person, job.studyInstanceUID)).toEqual(
    archiveFiles.map(({ instance }) => instance).toSorted(),
  );
});

test('a stopping server returns its import to the queue, and another server continues it', async () => {
  const { archive, person, job, server } = await prepareHalf();
  archive.recover();
  await startWorking();

  server.child.kill('SIGTERM');
  const { code, complaint } = await server.ended;
  const done = await ended(person, job);

  expect({ code, complaint }).toEqual({ code: 0, complaint: '' });
  expect(done).toMatchObject({ state: 'DONE', expected: 60, received: 60, attempts: 2 });
});
