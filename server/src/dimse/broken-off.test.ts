import { readdir, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { newUid } from '@radwork/dicom/uid';
import { afterAll, expect, test } from 'vitest';
import { storeInstances } from '#archive/store.ts';
import { systemSession } from '#core/scope.ts';
import { letIn, listenForDevices } from '#test/device.ts';
import { image } from '#test/upload.ts';
import { createWorld, type Tenant } from '#test/world.ts';
import { createDimseSource } from './dimse-source.ts';

const world = await createWorld();
const gateway = await listenForDevices(world);
afterAll(gateway.close);

/** A study of images that are larger than what is read before one is announced, and the files they are kept in. */
const archived = async (tenant: Tenant, count: number) => {
  const uids = { StudyInstanceUID: newUid(), SeriesInstanceUID: newUid(), PatientID: newUid() };
  const names = Array.from({ length: count }, () => newUid());
  const uploads = names.map((SOPInstanceUID, index) => {
    const { name, bytes } = image({ ...uids, Rows: 1000, Columns: 1000, SOPInstanceUID, InstanceNumber: index + 1 });
    return { name, body: Readable.from([bytes]) };
  });
  const { refused } = await storeInstances(world.context, systemSession(tenant.id), uploads);
  expect(refused).toEqual([]);
  const rows = await world.inTenant(tenant, ({ db }) =>
    db.selectFrom('instances').select('sha256').orderBy('instance_number').execute(),
  );
  const stored = await readdir(join(world.dataDir, 'archive'), { recursive: true });
  const files = rows.map(({ sha256 }) => {
    const path = stored.find((one) => one.endsWith(sha256.toString('hex'))) ?? '';
    return join(world.dataDir, 'archive', path);
  });
  return { studyUid: uids.StudyInstanceUID, uids: names, files };
};

/** As an import stores: a file that broke off is not the end. */
const isWhole = async (body: AsyncIterable<Buffer>): Promise<boolean> => {
  try {
    for await (const piece of body) expect(piece.length).toBeGreaterThan(0);
    return true;
  } catch {
    return false;
  }
};

test('an image at which an archive breaks C-GET off keeps none of those behind it away', async () => {
  const there = await world.newTenant();
  const { called, calling } = await letIn(world, there);
  const { studyUid, uids, files } = await archived(there, 6);
  for (const damaged of [files[1], files[3]]) await truncate(damaged ?? '', 1_500_000);
  const source = createDimseSource({
    peer: { host: '127.0.0.1', port: gateway.port, calledAeTitle: called, callingAeTitle: calling },
    locate: async (address) => ({ address }),
    mostInstanceBytes: 1 << 30,
    arrivals: undefined,
  });
  const { signal } = new AbortController();
  const { instances: listed } = await source.listInstances(studyUid, signal);

  const arrived: string[] = [];
  const retrieving = (async () => {
    for await (const { name, body } of source.retrieve(studyUid, listed, signal)) {
      if (await isWhole(body)) arrived.push(name);
    }
  })();

  await expect(retrieving).rejects.toMatchObject({
    name: 'RemoteError',
    message: expect.stringContaining('broke the association off'),
  });
  expect(arrived).toEqual([0, 2, 4, 5].map((index) => uids[index]));
});
