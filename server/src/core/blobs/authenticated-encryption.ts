import { createCipheriv, createDecipheriv } from 'node:crypto';
import { DamagedFile } from './disk/file-system.ts';

/*
 * AES-256-GCM (NIST SP 800-38D). The 16-byte tag follows the encrypted bytes. A pair of key and 12-byte nonce is used
 * only once.
 */

const algorithm = 'aes-256-gcm';
export const tagBytes = 16;
export const nonceBytes = 12;

/**
 * Encrypts bytes and returns them with their tag. `about` is authenticated but not encrypted. Decryption needs the same
 * `about`.
 */
export const encrypt = (key: Buffer, nonce: Buffer, bytes: Buffer, about: Buffer = nothing): [Buffer, Buffer] => {
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(about);
  const encrypted = cipher.update(bytes);
  cipher.final();
  return [encrypted, cipher.getAuthTag()];
};

/**
 * Decrypts bytes that end with their tag. Throws DamagedFile when the bytes or `about` are not the ones that were
 * encrypted.
 */
export const decrypt = (key: Buffer, nonce: Buffer, tagged: Buffer, about: Buffer = nothing): Buffer => {
  if (tagged.length < tagBytes) throw new DamagedFile();
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes }).setAAD(about);
  decipher.setAuthTag(tagged.subarray(-tagBytes));
  const decrypted = decipher.update(tagged.subarray(0, -tagBytes));
  try {
    decipher.final();
  } catch {
    throw new DamagedFile();
  }
  return decrypted;
};

const nothing = Buffer.alloc(0);
