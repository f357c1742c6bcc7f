import { notifications } from '@radwork/contract/identity/notifications';
import { newUid } from '@radwork/dicom/uid';
import { expect, onTestFinished, test } from 'vitest';
import { startFaultyArchive } from '#test/faulty-archive.ts';
import { newImages } from '#test/remote-images.ts';
import { importSteps, reachingThisMachine } from '#test/import-steps.ts';
import { createWorld, type Person } from '#test/world.ts';
import { startImports } from './jobs.ts';

const world = await createWorld(reachingThisMachine);
const { configure, start, ended } = importSteps(world);

/** Starts an archive with a study of two instances, configures it for the user and starts a worker. */
const prepare = async (person: Person) => {
  const archiveFiles = newImages(1, 2);
  const archive = await startFaultyArchive(archiveFiles);
  onTestFinished(archive.stop);
  const retries = { most: 0, firstPauseMs: 5 };
  onTestFinished(startImports(world.context, world.url, { onError: () => {}, retries }));
  return { study: archiveFiles[0]?.study ?? '', configId: await configure(person, archive.url) };
};

const inbox = async (person: Person) => {
  const { data } = await person.send(notifications.list);
  return data.content.map(({ type, title, message, link }) => ({ type, title, message, link }));
};

test('notifies the requester that the import is done, with a link to the study', async () => {
  const person = await world.signIn();
  const colleague = await world.signIn('RADIOLOGIST', person.tenant);
  const { study, configId } = await prepare(person);

  const { studyId } = await ended(person, await start(person, configId, study));

  const message = 'A study from OTHER: 2 of 2 instances';
  expect(await inbox(person)).toEqual([
    { type: 'IMPORT', title: 'Import completed', message, link: `/studies/${studyId}` },
  ]);
  expect(await inbox(colleague)).toEqual([]);
});

test('a failed import also notifies the requester, with a link to the imports', async () => {
  const person = await world.signIn();
  const { configId } = await prepare(person);

  await ended(person, await start(person, configId, newUid()));

  expect(await inbox(person)).toMatchObject([{ type: 'IMPORT', title: 'Import failed', link: '/queue-jobs' }]);
});

test('a visiting super administrator gets no notification, in either tenant', async () => {
  const member = await world.signIn('ADMIN');
  const visitor = await world.signIn('SUPER_ADMIN');
  const headers = { 'x-tenantid': member.tenant.subdomain };
  const { study, configId } = await prepare(member);

  const job = await start(visitor, configId, study, { headers });
  const { state } = await ended(member, job);

  expect(state).toBe('DONE');
  const rows = await world.owner
    .selectFrom('notifications')
    .select('id')
    .where('user_id', '=', visitor.userId)
    .execute();
  expect(rows).toEqual([]);
});
