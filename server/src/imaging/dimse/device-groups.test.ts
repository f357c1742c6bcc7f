import { newUid } from '@radwork/dicom/uid';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { createObjects } from '#imaging/archive/dicomweb/stored-instances.ts';
import { storeInstances } from '#imaging/archive/store/store-instances.ts';
import { addDevice } from '#test/dimse-device.ts';
import { addGroup, putInGroups } from '#test/limited-user.ts';
import { image } from '#test/multipart-upload.ts';
import { addStudy } from '#test/stored-study.ts';
import { createWorld, type Tenant } from '#test/world.ts';
import { findInArchive, queryingSession } from './archive-queries.ts';
import { type Device, findDevice, readingSessionOf, sessionOf } from './devices.ts';
import { findWorklistItems } from './worklist.ts';

const world = await createWorld();
const { scopes } = world.context;

const deviceOf = async (tenant: Tenant, group_id: string | null): Promise<Device> => {
  const { called, calling } = await addDevice(world, tenant, { group_id });
  const device = await findDevice(world.context, {
    calledAeTitle: called,
    callingAeTitle: calling,
    address: '127.0.0.1',
  });
  if (typeof device === 'string') throw new Error(device);
  return device;
};

const found = async (device: Device): Promise<number> => {
  // QueryRetrieveLevel
  const identifier = { '00080052': { vr: 'CS', Value: ['STUDY'] } };
  const matches = await scopes.inTenant(queryingSession(device), (scope) =>
    findInArchive(scope, identifier, device.calledAeTitle, 100),
  );
  return matches.length;
};

const worklist = async (device: Device): Promise<number> =>
  (await scopes.inTenant(readingSessionOf(device), (scope) => findWorklistItems(scope, {}, 'MODALITY', 100))).length;

test('a device with a group finds only studies of the group, and its worklist has only orders of the group', async () => {
  const tenant = await world.newTenant();
  const groupId = await addGroup(world, tenant);
  const [limited, unlimited] = [await deviceOf(tenant, groupId), await deviceOf(tenant, null)];
  for (const group_ids of [[groupId], [], [await addGroup(world, tenant)]]) {
    await world.inTenant(tenant, (scope) => addStudy(scope, { group_ids }));
    await world.inTenant(tenant, (scope) => addStudy(scope, { group_ids, seriesModalities: [] }));
  }

  expect([await found(limited), await found(unlimited)]).toEqual([2, 6]);
  const [ofGroup, ofAll] = [await worklist(limited), await worklist(unlimited)];
  expect(ofAll).toBe(3 * ofGroup);
  expect(ofGroup).toBeGreaterThan(0);
});

test('a device with a group does not get a study that a device without a group has just retrieved', async () => {
  const tenant = await world.newTenant();
  const groupId = await addGroup(world, tenant);
  const [limited, unlimited] = [await deviceOf(tenant, groupId), await deviceOf(tenant, null)];
  const { uid, id } = await world.inTenant(tenant, (scope) => addStudy(scope));
  const objects = createObjects({ ...world.context, sessions: { ...world.context.sessions, accessVersion: () => 1 } });

  expect(await objects.study(queryingSession(unlimited), uid)).toMatchObject({ id });
  await expect(objects.study(queryingSession(limited), uid)).rejects.toMatchObject({ status: 404 });
  await putInGroups(world, tenant, id, [groupId]);
  expect(await objects.study(queryingSession(limited), uid)).toMatchObject({ id });
});

test('studies from a device with a group get the group, also if they were registered before', async () => {
  const tenant = await world.newTenant();
  const groupId = await addGroup(world, tenant);
  const device = await deviceOf(tenant, groupId);
  const [uid, PatientID] = [newUid(), newUid().slice(-12)];
  const registered = await world.inTenant(tenant, (scope) =>
    addStudy(scope, { seriesModalities: [], patient: { patient_id: PatientID } }),
  );
  const files = [
    image({ StudyInstanceUID: uid }),
    image({ StudyInstanceUID: registered.uid, PatientID, PatientName: 'Doe^Jane' }),
  ];

  const { refused } = await storeInstances(
    world.context,
    sessionOf(device),
    files.map(({ name, bytes }) => ({ name, body: Readable.from([bytes]) })),
  );

  expect(refused).toEqual([]);
  const rows = await world.inTenant(tenant, ({ db }) => db.selectFrom('studies').select('group_ids').execute());
  expect(rows.map(({ group_ids }) => group_ids)).toEqual([[groupId], [groupId]]);
});
