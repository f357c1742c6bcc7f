import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { newUid } from '@radwork/dicom/uid';
import { expect } from 'vitest';
import { storeInstances } from '#imaging/archive/store/store-instances.ts';
import { systemSession } from '#core/access/scope.ts';
import { image } from './multipart-upload.ts';
import type { Tenant, World } from './world.ts';

/** Stores a study of square images with the given numbers of rows. Returns it with the stored files. */
export const archivedImages = async (world: World, tenant: Tenant, sizes: readonly number[]) => {
  const uids = { StudyInstanceUID: newUid(), SeriesInstanceUID: newUid(), PatientID: newUid() };
  const instances = sizes.map((size) => ({ SOPInstanceUID: newUid(), Rows: size, Columns: size }));
  const uploads = instances.map((instance, index) => {
    const { name, bytes } = image({ ...uids, ...instance, InstanceNumber: index + 1 });
    return { name, body: Readable.from([bytes]) };
  });
  const { refused } = await storeInstances(world.context, systemSession(tenant.id), uploads);
  expect(refused).toEqual([]);
  const rows = await world.inTenant(tenant, ({ db }) =>
    db.selectFrom('instances').select('sha256').orderBy('instance_number').execute(),
  );
  const folder = join(world.dataDir, 'archive');
  const stored = await readdir(folder, { recursive: true });
  const files = rows.map(({ sha256 }) =>
    join(folder, stored.find((one) => one.endsWith(sha256.toString('hex'))) ?? ''),
  );
  return { studyUid: uids.StudyInstanceUID, uids: instances.map(({ SOPInstanceUID }) => SOPInstanceUID), files };
};
