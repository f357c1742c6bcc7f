import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '#test/eventually.ts';
import { startFaultyArchive } from '#test/faulty-archive.ts';
import { newImages } from '#test/kept-images.ts';
import { importSteps, reachingThisMachine, storedInstances } from '#test/import-steps.ts';
import { addressOf, startServer } from '#test/server-process.ts';
import { createWorld } from '#test/world.ts';

const world = await createWorld(reachingThisMachine);
const { configure, start, ended, read } = importSteps(world);

/** A server in a process of its own, on the database and the data of this world; only it works on imports. */
const startWorking = async () => {
  const server = startServer({
    ...reachingThisMachine,
    REMOTE_TIMEOUT_SECONDS: '30',
    // The embedded server has a socket's path for a host, and a URL wants a name as well.
    DATABASE_URL: world.url.replace('@/', '@localhost/'),
    DATA_DIR: world.dataDir,
  });
  await addressOf(server);
  return server;
};

/** An import of six series, of which the archive has delivered two and is in the middle of the third. */
const prepareHalf = async () => {
  const kept = newImages(6, 10);
  const archive = await startFaultyArchive(kept);
  onTestFinished(archive.stop);
  const person = await world.signIn();
  archive.misbehave('stalls in the middle', 2);
  const job = await start(person, await configure(person, archive.url), kept[0]?.study ?? '');
  const server = await startWorking();
  await eventually(() => expect(archive.asked.filter((path) => !path.includes('?'))).toHaveLength(3));
  return { kept, archive, person, job, server };
};

test('a server that is killed in the middle of an import goes on with it when it is back', async () => {
  const { kept, archive, person, job, server } = await prepareHalf();

  server.child.kill('SIGKILL');
  await server.ended;
  const left = await read(person, job);
  archive.recover();
  await startWorking();
  const done = await ended(person, job);

  expect(left.state).toBe('RUNNING');
  expect(done).toMatchObject({ state: 'DONE', expected: 60, received: 60, failed: 0, attempts: 2 });
  expect(await storedInstances(world, person, job.studyInstanceUID)).toEqual(
    kept.map(({ instance }) => instance).toSorted(),
  );
});

test('a server that is asked to stop gives its import back, and another goes on with it', async () => {
  const { archive, person, job, server } = await prepareHalf();
  archive.recover();
  await startWorking();

  server.child.kill('SIGTERM');
  const { code, complaint } = await server.ended;
  const done = await ended(person, job);

  expect({ code, complaint }).toEqual({ code: 0, complaint: '' });
  expect(done).toMatchObject({ state: 'DONE', expected: 60, received: 60, attempts: 2 });
});
