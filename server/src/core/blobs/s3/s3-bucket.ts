import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { type ByteRange, StorageUnavailable } from '#core/blobs/blob-store.ts';
import { hasCode } from '#core/blobs/disk/file-system.ts';
import { withRetries } from '#core/blobs/retry.ts';
import { isAnswer, mayPass, storeError } from './s3-errors.ts';
import type { ObjectStorage } from '#core/blobs/storage-url.ts';

/** A local file to be stored as an object. */
export type FileToPut = { path: string; size: number; sha256: string };
/** Facts of a whole object. `size` is in bytes. */
export type ObjectFacts = { size: number; modifiedAt: Date };
/** An object and the part of its bytes that was requested. */
export type OpenObject = ObjectFacts & { body: Readable };

export type Bucket = Awaited<ReturnType<typeof openBucket>>;

const connectedWithin = 5_000;
/** Milliseconds without a byte after which the store counts as unreachable. */
const silentAtMost = 20_000;
/**
 * Maximum number of connections, far more than uploads need. An upload sends 64 objects at once, and each slow reader
 * holds a connection. With too few connections, the library would count the wait for a free one as a time-out of the
 * store.
 */
const connections = 512;

/**
 * Uses only four basic requests, to which AWS, MinIO, Ceph and Garage reply alike. Repeats a request after temporary
 * errors. If the repeated requests fail too, throws an error of BlobStore.
 */
export const openBucket = async ({ bucket: Bucket, ...storage }: ObjectStorage) => {
  // Imported only here, because the library takes 34 MB. A server with local files does not need it.
  const s3 = await import('@aws-sdk/client-s3');
  const agent = { keepAlive: true, maxSockets: connections };
  const client = new s3.S3Client({
    endpoint: storage.endpoint,
    region: storage.region,
    forcePathStyle: storage.usesPathStyle,
    // Without keys in the settings, the library looks for keys as the AWS tools do: role of the machine, token of the
    // pod, or a program (credential_process).
    ...(storage.keys && {
      credentials: { accessKeyId: storage.keys.accessKey, secretAccessKey: storage.keys.secretKey },
    }),
    maxAttempts: 1,
    // Turned off, because the checksums of the library need trailers, which some other stores refuse. Uploads are
    // signed with their hash instead.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Turned off, because "Expect: 100-continue" before each large object would need its own connection.
    expectContinueHeader: false,
    requestHandler: {
      connectionTimeout: connectedWithin,
      socketTimeout: silentAtMost,
      httpAgent: agent,
      httpsAgent: agent,
      logger: quiet,
    },
    logger: quiet,
  });

  const withStorageErrors = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await withRetries(work, mayPass);
    } catch (error) {
      throw storeError(error);
    }
  };

  const putOnce = async (Key: string, { path, size, sha256 }: FileToPut) => {
    // Opens the file before the request. Otherwise, if the store refused the upload and the stream then found no file,
    // the error would end the process.
    const file = await open(path);
    const Body = file.createReadStream({ highWaterMark: 1 << 18 });
    // The library does not handle read errors of the file.
    const unreadable = new Promise<never>((_, reject) => {
      Body.once('error', reject);
    });
    try {
      const command = new s3.PutObjectCommand({ Bucket, Key, Body, ContentLength: size });
      // Signs the hash of the body. Every store checks the received bytes against this hash (SigV4).
      command.middlewareStack.add(
        (next) => (args) => {
          if (hasHeaders(args.request)) args.request.headers['x-amz-content-sha256'] = sha256;
          return next(args);
        },
        { step: 'build', name: 'contentSha256' },
      );
      await Promise.race([client.send(command), unreadable]);
    } finally {
      Body.destroy();
    }
  };

  const get = (Key: string, range?: ByteRange): Promise<OpenObject> =>
    withStorageErrors(async () => {
      const Range = range && `bytes=${range.offset}-${range.offset + range.length - 1}`;
      const answer = await client.send(new s3.GetObjectCommand({ Bucket, Key, ...(Range && { Range }) }));
      const size = totalOf(answer.ContentRange) ?? answer.ContentLength;
      if (!(answer.Body instanceof Readable) || size === undefined)
        throw new StorageUnavailable('answer without content');
      if (beginningOf(answer.ContentRange) !== (range?.offset ?? 0)) {
        answer.Body.destroy();
        throw new StorageUnavailable('answer with another range');
      }
      return { size, modifiedAt: answer.LastModified ?? new Date(), body: answer.Body };
    });

  return {
    /** Stores a file under a key and replaces an earlier object. The object is durable when the promise resolves. */
    put: (key: string, file: FileToPut): Promise<void> => withStorageErrors(() => putOnce(key, file)),

    /**
     * Opens an object or a range of it. Throws ERANGE when the range begins at or after the end. The body fails when
     * the connection breaks. It may be longer than requested, because a server may ignore the end of the range (RFC
     * 9110 §14.2).
     */
    get,

    /** Returns the facts of an object without its content. */
    facts: async (key: string): Promise<ObjectFacts> => {
      // An empty object has no first byte to request.
      const opened = await get(key, { offset: 0, length: 1 }).catch((error: unknown) => {
        if (!hasCode(error, 'ERANGE')) throw error;
        return get(key);
      });
      opened.body.resume();
      return { size: opened.size, modifiedAt: opened.modifiedAt };
    },

    /**
     * Lists all objects with a key prefix, sorted by key. Uses the older request, in which the last key selects the
     * next page. The newer request needs tokens that our S3 test server cannot create on current Node. Throws
     * StorageUnavailable when the list breaks off, because the remaining objects would look deleted.
     */
    async *list(Prefix: string): AsyncGenerator<ObjectFacts & { key: string }> {
      for (let last = ''; ;) {
        const Marker = last;
        const page = await withStorageErrors(() => client.send(new s3.ListObjectsCommand({ Bucket, Prefix, Marker })));
        for (const { Key, Size, LastModified } of page.Contents ?? []) {
          if (Key === undefined) continue;
          last = Key;
          yield { key: Key, size: Size ?? 0, modifiedAt: LastModified ?? new Date() };
        }
        if (!page.IsTruncated) return;
        if (last === Marker) last = page.NextMarker ?? last;
        if (last === Marker) throw new StorageUnavailable('a list does not continue');
      }
    },

    /**
     * Removes an object. Throws StorageUnavailable when an attempt had no reply, even if the object is gone. The store
     * may still run that removal and delete newer content.
     */
    remove: async (Key: string): Promise<void> => {
      let unanswered = 0;
      await withStorageErrors(() =>
        client.send(new s3.DeleteObjectCommand({ Bucket, Key })).catch((error: unknown) => {
          if (!isAnswer(error)) unanswered += 1;
          throw error;
        }),
      );
      if (unanswered > 0) throw new StorageUnavailable('a removal was not answered');
    },

    close: () => client.destroy(),
  };
};

/** Prevents the library from logging to the console. */
const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

const hasHeaders = (request: unknown): request is { headers: Record<string, string> } =>
  typeof request === 'object' && request !== null && 'headers' in request;

/** Returns the size of the whole object from "bytes 2-4/10". */
const totalOf = (contentRange: string | undefined): number | undefined => {
  const total = contentRange?.split('/')[1];
  return total === undefined ? undefined : Number(total);
};

/** Returns the first byte position from "bytes 2-4/10"; 0 without a header. */
const beginningOf = (contentRange: string | undefined): number =>
  contentRange === undefined ? 0 : Number(/^bytes (\d+)-/.exec(contentRange)?.[1]);
