import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { decrypt, encrypt, nonceBytes } from '#core/blobs/authenticated-encryption.ts';
import { type StorageKey, storageKeysOf } from '#core/blobs/storage-keys.ts';
import type { Config } from '#core/config/config.ts';

/** Format of rendered images on disk. */
export type PictureForm = {
  write: (tenantId: number, name: string, picture: Buffer) => Buffer;
  /** Throws when the bytes have another format, tenant or name. */
  read: (tenantId: number, name: string, bytes: Buffer) => Buffer;
};

export const asItIs: PictureForm = {
  write: (_tenantId, _name, picture) => picture,
  read: (_tenantId, _name, bytes) => bytes,
};

/** Encrypts rendered images if stored images are encrypted, because both show the same content. */
export const encryptedWith = (storageKey: StorageKey): PictureForm => {
  const keyOf = (tenantId: number) => storageKey.derive('kept pictures', String(tenantId));
  return {
    write: (tenantId, name, picture) => {
      const nonce = randomBytes(nonceBytes);
      return Buffer.concat([nonce, ...encrypt(keyOf(tenantId), nonce, picture, Buffer.from(name))]);
    },
    read: (tenantId, name, bytes) =>
      decrypt(keyOf(tenantId), bytes.subarray(0, nonceBytes), bytes.subarray(nonceBytes), Buffer.from(name)),
  };
};

/**
 * Returns folder and format of the cache. It has the format of the stored images. `removeOthers` removes images in the
 * other format, which became useless when encryption was switched on or off.
 */
export const cacheFolderAndForm = ({ dataDir, storageKeys }: Pick<Config, 'dataDir' | 'storageKeys'>) => {
  const key = storageKeysOf(storageKeys)?.current;
  const folders = ['rendered', 'rendered-encrypted'].map((name) => join(dataDir, 'cache', name));
  const [folder = '', other = ''] = key ? folders.toReversed() : folders;
  return {
    folder,
    form: key ? encryptedWith(key) : asItIs,
    removeOthers: (): Promise<void> => rm(other, { recursive: true, force: true }),
  };
};
