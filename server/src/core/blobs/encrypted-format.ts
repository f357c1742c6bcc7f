import { createHash, randomBytes } from 'node:crypto';
import { type ByteRange, TooLarge } from './blob-store.ts';
import { decrypt, encrypt, nonceBytes, tagBytes } from './authenticated-encryption.ts';
import { DamagedFile } from './disk/file-system.ts';
import type { StorageKey, StorageKeys } from './storage-keys.ts';

/*
 * Format of an encrypted file. AES-256-GCM; the key is derived from the storage key, the tenant and the salt.
 *
 *   header: "RADWORK1", key id (8 bytes), salt (32 bytes)
 *   chunks: encrypted, 64 KiB; the last may be shorter. Each tag follows its chunk; the nonce is the chunk number.
 *   seal: the tag of an empty text, over the header, the SHA-256 of the plain content, and its size
 *
 * A chunk decrypts only in its own file and position. A file opens only under its name, tenant and length. Bytes are
 * returned only after the tag of their chunk and the seal are verified.
 */

const magic = Buffer.from('RADWORK1');
const idBytes = 8;
const saltBytes = 32;
export const headerBytes = magic.length + idBytes + saltBytes;
export const chunkBytes = 64 << 10;
export const sealBytes = tagBytes;
const storedChunk = chunkBytes + tagBytes;
/** A nonce for the seal. No chunk uses this nonce. */
const sealNonce = Buffer.alloc(nonceBytes, 0xff);

/** The key of one file and the size of its plain content. */
export type EncryptedFile = { key: Buffer; size: number };

/** Returns the stored size for a plain size. */
export const storedSize = (size: number): number =>
  headerBytes + size + Math.ceil(size / chunkBytes) * tagBytes + sealBytes;

/** Returns the plain size for a stored size. For a truncated file the result is meaningless. */
export const sizeOfStored = (stored: number): number => {
  const chunks = stored - headerBytes - sealBytes;
  return Math.max(0, chunks - Math.ceil(chunks / storedChunk) * tagBytes);
};

/**
 * Returns the stored position of the chunks that contain a range, and the number of their first chunk. The range must
 * not be empty.
 */
export const chunksOf = ({ size }: EncryptedFile, { offset, length }: ByteRange) => {
  const first = Math.floor(offset / chunkBytes);
  const last = Math.floor((offset + length - 1) / chunkBytes);
  const lastBytes = Math.min(chunkBytes, size - last * chunkBytes) + tagBytes;
  return { first, offset: headerBytes + first * storedChunk, length: (last - first) * storedChunk + lastBytes };
};

const nonceOf = (chunk: number): Buffer => {
  const nonce = Buffer.alloc(nonceBytes);
  nonce.writeUIntBE(chunk, 6, 6);
  return nonce;
};

const nothing = Buffer.alloc(0);

const fileKeyOf = (key: StorageKey, tenantId: number, salt: Buffer) =>
  key.derive('stored file', String(tenantId), salt);

const sealedWords = (header: Buffer, sha256: string, size: number): Buffer => {
  const length = Buffer.alloc(8);
  length.writeBigUInt64BE(BigInt(size));
  return Buffer.concat([header, Buffer.from(sha256, 'hex'), length]);
};

/**
 * Encrypts a stream. `facts` describe the plain content and are known when `bytes` has ended. Throws TooLarge when more
 * than `limit` plain bytes arrive.
 */
export const encrypting = (source: AsyncIterable<Buffer>, limit: number, key: StorageKey, tenantId: number) => {
  const salt = randomBytes(saltBytes);
  const header = Buffer.concat([magic, Buffer.from(key.id, 'hex'), salt]);
  const fileKey = fileKeyOf(key, tenantId, salt);
  const hash = createHash('sha256');
  let size = 0;
  let sha256 = '';

  async function* bytes(): AsyncGenerator<Buffer> {
    const chunk = Buffer.allocUnsafe(chunkBytes);
    let filled = 0;
    let number = 0;
    yield header;
    for await (const part of source) {
      size += part.length;
      if (size > limit) throw new TooLarge();
      hash.update(part);
      for (let at = 0; at < part.length;) {
        const copied = part.copy(chunk, filled, at);
        at += copied;
        filled += copied;
        if (filled < chunkBytes) continue;
        yield* encrypt(fileKey, nonceOf(number), chunk);
        number += 1;
        filled = 0;
      }
    }
    if (filled > 0) yield* encrypt(fileKey, nonceOf(number), chunk.subarray(0, filled));
    sha256 = hash.digest('hex');
    yield* encrypt(fileKey, sealNonce, nothing, sealedWords(header, sha256, size));
  }

  return { bytes: bytes(), facts: () => ({ sha256, size, file: { key: fileKey, size } satisfies EncryptedFile }) };
};

/** Returns the key id in a file header. Throws DamagedFile when the bytes are not such a header. */
export const keyIdOf = (header: Buffer): string => {
  if (header.length < headerBytes || !header.subarray(0, magic.length).equals(magic)) throw new DamagedFile();
  return header.toString('hex', magic.length, magic.length + idBytes);
};

/** Header and seal of a stored file, and its stored size. */
export type Ends = { header: Buffer; seal: Buffer; stored: number };

/**
 * Opens a file by its header and seal. Throws DamagedFile unless the file is complete and was stored under this name.
 */
export const openFile = (
  { header, seal, stored }: Ends,
  keys: StorageKeys,
  { tenantId, sha256 }: { tenantId: number; sha256: string },
): EncryptedFile => {
  const key = keys.find(keyIdOf(header));
  if (!key) throw new DamagedFile();
  const size = sizeOfStored(stored);
  const file = { key: fileKeyOf(key, tenantId, header.subarray(-saltBytes)), size };
  if (storedSize(size) !== stored) throw new DamagedFile();
  decrypt(file.key, sealNonce, seal, sealedWords(header, sha256, size));
  return file;
};

/** Decrypts one chunk and returns its part of the range. Throws DamagedFile when the chunk was changed. */
const openChunk = ({ key }: EncryptedFile, number: number, stored: Buffer, { offset, length }: ByteRange): Buffer => {
  const begin = number * chunkBytes;
  return decrypt(key, nonceOf(number), stored).subarray(Math.max(0, offset - begin), offset + length - begin);
};

/** Decrypts whole chunks from chunk `first` on, and copies the wanted range to `target`. */
export const openChunks = (file: EncryptedFile, stored: Buffer, first: number, range: ByteRange, target: Buffer) => {
  let at = 0;
  for (let number = first, begin = 0; begin < stored.length; number += 1, begin += storedChunk) {
    at += openChunk(file, number, stored.subarray(begin, begin + storedChunk), range).copy(target, at);
  }
};

/** Decrypts a range from a stream of its chunks (`chunksOf`). Throws DamagedFile when the stream ends too early. */
export async function* decrypting(
  file: EncryptedFile,
  stored: AsyncIterable<Buffer>,
  range: ByteRange,
): AsyncGenerator<Buffer> {
  const { first, length } = chunksOf(file, range);
  let number = first;
  let remaining = length;
  let buffered: Buffer = Buffer.alloc(0);
  for await (const chunk of stored) {
    buffered = buffered.length === 0 ? chunk : Buffer.concat([buffered, chunk]);
    for (
      let next = Math.min(storedChunk, remaining);
      remaining > 0 && buffered.length >= next;
      next = Math.min(storedChunk, remaining)
    ) {
      yield openChunk(file, number, buffered.subarray(0, next), range);
      buffered = buffered.subarray(next);
      remaining -= next;
      number += 1;
    }
  }
  if (remaining > 0) throw new DamagedFile();
}
