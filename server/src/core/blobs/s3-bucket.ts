import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { type ByteRange, StorageAway } from '#core/blob-store.ts';
import { hasCode } from './files.ts';
import { withRetries } from './retry.ts';
import { isAnswer, mayPass, storeError } from './s3-errors.ts';
import type { ObjectStorage } from './storage-url.ts';

/** A file of this machine whose bytes are to become an object. */
export type FileToPut = { path: string; size: number; sha256: string };
/** `size` is that of the whole object, in bytes. */
export type ObjectFacts = { size: number; modifiedAt: Date };
/** An object, and the bytes of it that were asked for. */
export type OpenObject = ObjectFacts & { body: Readable };

export type Bucket = Awaited<ReturnType<typeof openBucket>>;

const connectedWithin = 5_000;
/** A store that neither takes nor gives a byte for this long is away. */
const silentAtMost = 20_000;
/**
 * Far more than are wanted: uploads send 64 objects at once, and whoever reads a large one slowly keeps its connection. The
 * library counts waiting for a free one as waiting for the store, which would be called away.
 */
const connections = 512;

/**
 * What we ask of an object store: four plain requests that AWS, MinIO, Ceph and Garage answer alike. Each is tried again
 * while the reason may pass, and then throws what a BlobStore throws.
 */
export const openBucket = async ({ bucket: Bucket, ...storage }: ObjectStorage) => {
  // Loaded here alone: it weighs 34 MB, which a server with local files has better use for.
  const s3 = await import('@aws-sdk/client-s3');
  const agent = { keepAlive: true, maxSockets: connections };
  const client = new s3.S3Client({
    endpoint: storage.endpoint,
    region: storage.region,
    forcePathStyle: storage.usesPathStyle,
    // Else the library asks what AWS's own tools ask: the machine's role, the pod's token, or a program (credential_process).
    ...(storage.keys && {
      credentials: { accessKeyId: storage.keys.accessKey, secretAccessKey: storage.keys.secretKey },
    }),
    maxAttempts: 1,
    // The library's own checksums need trailers that stores other than AWS refuse; what is sent is signed by its hash.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Asking before each larger object would take a connection of its own for it.
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
    // Opened before it is streamed: a stream that found its file gone, after the store had refused, would end the process.
    const file = await open(path);
    const Body = file.createReadStream({ highWaterMark: 1 << 18 });
    // The library does not listen for a file that cannot be read.
    const unreadable = new Promise<never>((_, reject) => {
      Body.once('error', reject);
    });
    try {
      const command = new s3.PutObjectCommand({ Bucket, Key, Body, ContentLength: size });
      // Signed as the hash of the body, with which every store compares what arrives (SigV4).
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
      if (!(answer.Body instanceof Readable) || size === undefined) throw new StorageAway('no body');
      if (beginningOf(answer.ContentRange) !== (range?.offset ?? 0)) {
        answer.Body.destroy();
        throw new StorageAway('another range');
      }
      return { size, modifiedAt: answer.LastModified ?? new Date(), body: answer.Body };
    });

  return {
    /** Stores a file under a key, in place of what was there. It is durable when this resolves. */
    put: (key: string, file: FileToPut): Promise<void> => asking(() => putOnce(key, file)),

    /**
     * Opens an object, or a range of it; with the code ERANGE it throws for one that begins at the end or beyond. The
     * body fails when the connection breaks, and may be longer than the range: whoever answers may pass over what was asked for
     * (RFC 9110 §14.2), which is known by where the answer begins.
     */
    get,

    /** What is known of an object, without its bytes. */
    facts: async (key: string): Promise<ObjectFacts> => {
      // One that is empty has no first byte.
      const opened = await get(key, { offset: 0, length: 1 }).catch((error: unknown) => {
        if (!hasCode(error, 'ERANGE')) throw error;
        return get(key);
      });
      opened.body.resume();
      return { size: opened.size, modifiedAt: opened.modifiedAt };
    },

    /**
     * All objects whose keys begin so, in the order of their keys. Asked for in the older way, where the last key tells
     * the next page: the S3 server of our tests cannot make the newer one's tokens on today's Node. Throws StorageAway
     * where it does not go on before its end, as what is not in it would pass for gone.
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
        if (last === Marker) throw new StorageAway('a list does not go on');
      }
    },

    /**
     * Removes an object. Throws StorageAway also when it is gone, and an attempt before had no answer: the store may do
     * that one yet, to whatever has been put there by then.
     */
    remove: async (Key: string): Promise<void> => {
      let unanswered = 0;
      await asking(() =>
        client.send(new s3.DeleteObjectCommand({ Bucket, Key })).catch((error: unknown) => {
          if (!isAnswer(error)) unanswered += 1;
          throw error;
        }),
      );
      if (unanswered > 0) throw new StorageAway('a removal was not answered');
    },

    close: () => client.destroy(),
  };
};

/** The library would warn on the console. */
const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

const hasHeaders = (request: unknown): request is { headers: Record<string, string> } =>
  typeof request === 'object' && request !== null && 'headers' in request;

/** The size of the whole object, from "bytes 2-4/10". */
const totalOf = (contentRange: string | undefined): number | undefined => {
  const total = contentRange?.split('/')[1];
  return total === undefined ? undefined : Number(total);
};

/** The first byte that an answer has, from "bytes 2-4/10"; of one that says nothing it is that of the object. */
const beginningOf = (contentRange: string | undefined): number =>
  contentRange === undefined ? 0 : Number(/^bytes (\d+)-/.exec(contentRange)?.[1]);
