import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { StorageUnavailable } from '#core/blobs/blob-store.ts';
import { openStorage } from '#core/blobs/open-blob-store.ts';
import { keyIdsNote } from '#core/blobs/storage-keys.ts';
import { storeAs } from '#test/archive-calls.ts';
import { claimStore } from '#test/claim-store.ts';
import { image } from '#test/multipart-upload.ts';
import { createWorld } from '#test/world.ts';
import { convertStore } from './convert-store.ts';

const world = await createWorld();
await claimStore(world);
const [first, second] = ['the-first-key-to-encrypt-with-0123456', 'the-second-key-to-encrypt-with-012345'];

/**
 * Encrypts the store of the test world with the key `current`. `atFirst` runs after the command has checked the owner
 * of the store.
 */
const encryptWith = async (current: string, previous: string[], atFirst: () => void = () => {}) => {
  const { config, scopes } = world.context;
  const storage = await openStorage({ ...config, storageKeys: { current, previous } });
  const withoutTenant: typeof scopes.withoutTenant = (work) => {
    atFirst();
    return scopes.withoutTenant(work);
  };
  const archive = { scopes: { ...scopes, withoutTenant }, storage };
  return convertStore(archive, { onProgress: () => {}, report: () => {} }).finally(storage.blobs.close);
};

/** Returns the ids of the keys that the store needs. */
const neededKeys = async () => {
  const { plain } = await openStorage({
    ...world.context.config,
    storageKeys: { current: undefined, previous: [first] },
  });
  return plain.note(keyIdsNote).finally(plain.close);
};

test('if the disk disappears during a key change, the store still requires the earlier key', async () => {
  const person = await world.signIn();
  await storeAs(person, image());
  await encryptWith(first, []);
  const before = await neededKeys();
  const [disk, elsewhere] = [join(world.dataDir, 'archive'), join(world.dataDir, 'not mounted')];

  const converting = encryptWith(second, [first], () => {
    renameSync(disk, elsewhere);
    mkdirSync(disk);
  }).finally(() => {
    rmSync(disk, { recursive: true });
    renameSync(elsewhere, disk);
  });

  await expect(converting).rejects.toThrow(StorageUnavailable);
  expect(await neededKeys()).toBe(before);
});
