import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { decrypt, encrypt, nonceBytes } from '#core/blobs/authenticated.ts';
import { type StorageKey, storageKeysOf } from '#core/blobs/storage-keys.ts';
import type { Config } from '#core/config.ts';

/** How pictures are on disk. */
export type PictureForm = {
  write: (tenantId: number, name: string, picture: Buffer) => Buffer;
  /** Throws for what was not written so, or for another tenant or name. */
  read: (tenantId: number, name: string, written: Buffer) => Buffer;
};

export const asItIs: PictureForm = {
  write: (_tenantId, _name, picture) => picture,
  read: (_tenantId, _name, written) => written,
};

/** Encrypted, where stored images are: a picture shows what they show. */
export const encryptedWith = (storageKey: StorageKey): PictureForm => {
  const keyOf = (tenantId: number) => storageKey.derive('kept pictures', String(tenantId));
  return {
    write: (tenantId, name, picture) => {
      const nonce = randomBytes(nonceBytes);
      return Buffer.concat([nonce, ...encrypt(keyOf(tenantId), nonce, picture, Buffer.from(name))]);
    },
    read: (tenantId, name, written) =>
      decrypt(keyOf(tenantId), written.subarray(0, nonceBytes), written.subarray(nonceBytes), Buffer.from(name)),
  };
};

/**
 * Where pictures are kept and in which form, which is that of the images. Those of the other form, from before encryption
 * was switched on or off, are of no use any more and are removed.
 */
export const keptPictures = ({ dataDir, storageKeys }: Pick<Config, 'dataDir' | 'storageKeys'>) => {
  const key = storageKeysOf(storageKeys)?.current;
  const folders = ['rendered', 'rendered-encrypted'].map((name) => join(dataDir, 'cache', name));
  const [folder = '', other = ''] = key ? folders.toReversed() : folders;
  return {
    folder,
    form: key ? encryptedWith(key) : asItIs,
    removeOthers: (): Promise<void> => rm(other, { recursive: true, force: true }),
  };
};
