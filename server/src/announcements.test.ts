import { randomUUID } from 'node:crypto';
import type { LiveEvent } from '@radwork/contract/identity/live';
import { macros } from '@radwork/contract/reading/macros';
import { reports } from '@radwork/contract/reading/reports';
import { roles } from '@radwork/contract/identity/roles';
import { templates } from '@radwork/contract/reading/templates';
import { tenants } from '@radwork/contract/identity/tenants';
import { users } from '@radwork/contract/identity/users';
import { expect, onTestFinished, test } from 'vitest';
import { startImports } from './imaging/import-jobs/jobs.ts';
import { storeAs } from '#test/archive-calls.ts';
import { startFaultyArchive } from '#test/faulty-archive.ts';
import { newImages } from '#test/remote-images.ts';
import { importSteps, reachingThisMachine } from '#test/import-steps.ts';
import { receiveEvents, listeningTo } from '#test/listen-live.ts';
import { reportSteps } from '#test/report-steps.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld(reachingThisMachine);
const listen = listeningTo(world);
const { begin, save, finalize } = reportSteps(world);
const { configure, start, ended } = importSteps(world);

const studiesOf = ({ tenant }: Person) =>
  world.inTenant(tenant, ({ db }) => db.selectFrom('studies').select('id').orderBy('id').execute());

const study = (studyId: string): LiveEvent => ({ kind: 'study', studyId });

test('an upload announces its study once, whatever the number of images', async () => {
  const person = await world.signIn();
  const listening = await listen(person);
  const images = newImages(1, 12).map(({ bytes }, index) => ({ name: `${index}.dcm`, bytes }));

  await storeAs(person, ...images);

  const [stored] = await studiesOf(person);
  expect(await receiveEvents(listening)).toEqual([study(stored?.id ?? '')]);
});

test('announces a critical finding or a finalized report, but not each save', async () => {
  const person = await world.signIn();
  const listening = await listen(person);
  const { study: reported, id } = await begin(person);
  await receiveEvents(listening);

  await save(person, id, { content: '<p>More</p>', revision: 1 });
  await person.send(reports.addCriticalFinding, { params: { id }, body: { finding: 'x', severity: 'URGENT' } });
  await receiveEvents(listening, 2);
  await finalize(person, id, { content: '<p>More</p>', revision: 2 });
  await receiveEvents(listening, 3);

  expect(listening.events.filter(({ kind }) => kind === 'study')).toEqual([
    study(reported.id),
    study(reported.id),
    study(reported.id),
  ]);
});

test('an import is announced at its start and its end', async () => {
  const archiveFiles = newImages(1, 3);
  const archive = await startFaultyArchive(archiveFiles);
  onTestFinished(archive.stop);
  const person = await world.signIn();
  const configId = await configure(person, archive.url);
  const listening = await listen(person);

  const job = await start(person, configId, archiveFiles[0]?.study ?? '');
  const event: LiveEvent = { kind: 'job', jobId: job.id };
  const received = await receiveEvents(listening);
  expect(received).toEqual([event]);
  onTestFinished(startImports(world.context, world.url, { onError: () => {}, retries: { most: 0, firstPauseMs: 5 } }));
  await ended(person, job);

  await receiveEvents(listening, 3);
  expect(listening.events).toContainEqual(event);
  expect(listening.events.slice(1)).toContainEqual(event);
});

test('announces a change of a template to all users who may use the template, but does not announce each use', async () => {
  const person = await world.signIn('ADMIN');
  const colleague = await world.signIn('RADIOLOGIST', person.tenant);
  const patient = await world.signIn('PATIENT', person.tenant);
  const [listening, atPatient] = [await listen(colleague), await listen(patient)];
  const body = { name: 'CT chest', modality: 'CT', content: '<p>Lungs</p>' };
  const event: LiveEvent = { kind: 'templates' };

  const { id } = (await person.send(templates.create, { body })).data;
  await receiveEvents(listening);
  await person.send(templates.update, { params: { id }, body: { ...body, content: '<p>Both lungs</p>', revision: 1 } });
  await receiveEvents(listening, 2);
  await colleague.send(templates.noteUse, { params: { id } });
  await person.send(templates.remove, { params: { id } });
  await receiveEvents(listening, 3);

  expect(listening.events).toEqual([event, event, event]);
  expect(atPatient.events).toEqual([]);
});

test('announces a shared macro to all users, and a private macro only to other windows of its owner', async () => {
  const person = await world.signIn('ADMIN');
  const colleague = await world.signIn('RADIOLOGIST', person.tenant);
  const [atOwner, atColleague] = [await listen(colleague), await listen(person)];
  const text = { name: 'Normal chest', text: 'Lungs are clear.' };

  const { data: own } = await colleague.send(macros.create, {
    body: { ...text, abbreviation: 'own', isShared: false },
  });
  await receiveEvents(atOwner);
  await colleague.send(macros.remove, { params: { id: own.id } });
  await receiveEvents(atOwner, 2);
  await person.send(macros.create, { body: { ...text, abbreviation: 'all', isShared: true } });
  await receiveEvents(atOwner, 3);

  expect(await receiveEvents(atColleague)).toEqual([{ kind: 'templates' }]);
});

test('announces changes of users and roles only to users who manage them', async () => {
  const [admin, colleague] = [await world.signIn('SUPER_ADMIN'), await world.signIn('RADIOLOGIST')];
  const other = await world.signIn('ADMIN', admin.tenant);
  const reader = await world.signIn('RADIOLOGIST', admin.tenant);
  const [atAdmin, atOther, atReader, elsewhere] = [
    await listen(admin),
    await listen(other),
    await listen(reader),
    await listen(colleague),
  ];
  const form = { username: 'new.one', name: 'New One', email: 'new@example.org', userType: 'RADIOLOGIST' as const };
  const user: LiveEvent = { kind: 'users' };
  const role: LiveEvent = { kind: 'roles' };

  const { user: created } = (await other.send(users.create, { body: form })).data;
  await receiveEvents(atAdmin);
  await other.send(users.setStatus, { params: { id: created.id }, body: { active: false } });
  await receiveEvents(atAdmin, 2);
  await other.send(users.remove, { params: { id: created.id } });
  await receiveEvents(atAdmin, 3);
  const { id } = (await admin.send(roles.create, { body: { name: 'Resident', permissions: ['study.view'] } })).data;
  await receiveEvents(atAdmin, 4);
  await admin.send(roles.update, {
    params: { id },
    body: { name: 'Resident', permissions: ['study.view', 'report.view'], revision: 1 },
  });
  await receiveEvents(atAdmin, 5);
  await admin.send(roles.remove, { params: { id } });

  expect(await receiveEvents(atAdmin, 6)).toEqual([user, user, user, role, role, role]);
  // This administrator manages users but not roles.
  expect(atOther.events).toEqual([user, user, user]);
  expect([atReader.events, elsewhere.events]).toEqual([[], []]);
});

test('announces a new organization only to super administrators', async () => {
  const [operator, colleague] = [await world.signIn('SUPER_ADMIN'), await world.signIn('ADMIN')];
  const second = await world.signIn('SUPER_ADMIN', operator.tenant);
  const [listening, atColleague] = [await listen(second), await listen(colleague)];
  const administrator = { username: 'first.admin', name: 'Nora First', email: 'nora@example.org' };
  const form = { name: 'West', subdomain: `west-${randomUUID().slice(0, 8)}`, timeZone: 'UTC', locale: 'en-GB' };

  const { data } = await operator.send(tenants.create, {
    body: { ...form, storageQuotaBytes: 1_000_000_000, administrator },
  });
  await receiveEvents(listening);
  await operator.send(tenants.setStatus, { params: { id: data.tenant.id }, body: { active: false, reason: 'Left' } });

  expect(await receiveEvents(listening, 2)).toEqual([{ kind: 'tenants' }, { kind: 'tenants' }]);
  expect(atColleague.events).toEqual([]);
});
