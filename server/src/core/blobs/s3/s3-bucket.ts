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
/** An object with its requested bytes. */
export type OpenObject = ObjectFacts & { body: Readable };

export type Bucket = Awaited<ReturnType<typeof openBucket>>;

const connectedWithin = 5_000;
/** Milliseconds without any byte after which the store counts as unreachable. */
const silentAtMost = 20_000;
/**
 * Far more connections than needed: uploads send 64 objects at once, and each slow reader holds a connection. With
 * fewer, the library would count the wait for a free connection as a silent store.
 */
const connections = 512;

/**
 * Uses four basic requests that AWS, MinIO, Ceph and Garage answer alike. Each is retried after temporary errors and
 * then throws the errors of a BlobStore.
 */
export const openBucket = async ({ bucket: Bucket, ...storage }: ObjectStorage) => {
  // Loaded only here: it takes 34 MB, which a server with local files does not need.
  const s3 = await import('@aws-sdk/client-s3');
  const agent = { keepAlive: true, maxSockets: connections };
  const client = new s3.S3Client({
    endpoint: storage.endpoint,
    region: storage.region,
    forcePathStyle: storage.usesPathStyle,
    // Without keys the library looks where the AWS tools look: the role of the machine, the token of the pod, or a
    // program (credential_process).
    ...(storage.keys && {
      credentials: { accessKeyId: storage.keys.accessKey, secretAccessKey: storage.keys.secretKey },
    }),
    maxAttempts: 1,
    // The checksums of the library need trailers that other stores refuse. Uploads are signed with their hash
    // instead.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // An extra question before each large object would need its own connection.
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

  const asking = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await withRetries(work, mayPass);
    } catch (error) {
      throw storeError(error);
    }
  };

  const putOnce = async (Key: string, { path, size, sha256 }: FileToPut) => {
    // Opened before streaming: a stream that finds its file missing after the store has refused would end the
    // process.
    const file = await open(path);
    const Body = file.createReadStream({ highWaterMark: 1 << 18 });
    // The library does not handle read errors of the file.
    const unreadable = new Promise<never>((_, reject) => {
      Body.once('error', reject);
    });
    try {
      const command = new s3.PutObjectCommand({ Bucket, Key, Body, ContentLength: size });
      // Signs the hash of the body. Every store compares it with the received bytes (SigV4).
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
    asking(async () => {
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
    /** Stores a file under a key and replaces an earlier object. Durable when it resolves. */
    put: (key: string, file: FileToPut): Promise<void> => asking(() => putOnce(key, file)),

    /**
     * Opens an object or a range of it. Throws ERANGE when the range begins at the end or later. The body fails when
     * the connection breaks. A server may ignore the end of the range (RFC 9110 §14.2), so the body may be longer.
     */
    get,

    /** Returns the facts of an object without its content. */
    facts: async (key: string): Promise<ObjectFacts> => {
      // An empty object has no first byte.
      const opened = await get(key, { offset: 0, length: 1 }).catch((error: unknown) => {
        if (!hasCode(error, 'ERANGE')) throw error;
        return get(key);
      });
      opened.body.resume();
      return { size: opened.size, modifiedAt: opened.modifiedAt };
    },

    /**
     * Lists all objects with a key prefix, sorted by key. Uses the older request, where the last key selects the next
     * page: our S3 test server cannot create the newer tokens on current Node. Throws StorageUnavailable when the list
     * breaks off, because missing objects would look deleted.
     */
    async *list(Prefix: string): AsyncGenerator<ObjectFacts & { key: string }> {
      for (let last = ''; ;) {
        const Marker = last;
        const page = await asking(() => client.send(new s3.ListObjectsCommand({ Bucket, Prefix, Marker })));
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
     * Removes an object. Throws StorageUnavailable also when the object is gone but an earlier attempt had no reply: the
     * store may still run that removal and delete newer content.
     */
    remove: async (Key: string): Promise<void> => {
      let unanswered = 0;
      await asking(() =>
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

/** Silences the library, which logs to the console. */
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
