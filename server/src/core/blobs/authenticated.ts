import { createCipheriv, createDecipheriv } from 'node:crypto';
import { DamagedFile } from './files.ts';

/*
 * AES-256-GCM (NIST SP 800-38D) with tags of 16 bytes after what they are of. A key and a nonce of 12 bytes are used
 * together once.
 */

const algorithm = 'aes-256-gcm';
export const tagBytes = 16;
export const nonceBytes = 12;

/** What is encrypted, and its tag. `about` is not encrypted, and has to be the same to decrypt it. */
export const encrypt = (key: Buffer, nonce: Buffer, bytes: Buffer, about: Buffer = nothing): [Buffer, Buffer] => {
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(about);
  const encrypted = cipher.update(bytes);
  cipher.final();
  return [encrypted, cipher.getAuthTag()];
};

/** Decrypts what stands before a tag. Throws a DamagedFile when it is not what was encrypted, or about something else. */
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
