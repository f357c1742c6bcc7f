import { Readable } from 'node:stream';
import type { WholeFile } from '#core/blob-store.ts';
import type { StreamCall } from '#core/http.ts';
import { createReturns, lendShared } from './lent-buffers.ts';
import type { StudyRef } from './objects.ts';
import { transcode } from './transcode.ts';
import type { Wado } from './wado.ts';

/** A part of a message: what stands before a file, and the file as it is stored or in Explicit VR Little Endian. */
export type FilePart = {
  head: Buffer;
  file: { sha256: string; size: number; seriesUid: string; instanceUid: string };
  isTranscoded: boolean;
};

/** Files up to this size are read at once, which is twice as fast as streaming them. */
export const readWhole = 4 << 20;

/** Small files are read and sent together, so many bytes of them: each time costs as much as the bytes of a file. */
const mostTogether = 2 << 20;
/** What those who download at the same moment share of that, so that many who read slowly take little memory. */
const sharedByAll = 64 << 20;

let messagesOnTheirWay = 0;

/** How many bytes of small files are read together now. At least one file is. */
const together = (): number => Math.min(mostTogether, sharedByAll / Math.max(1, messagesOnTheirWay));

/** The parts of a message and its tail; the next files are read while those before them are sent. */
export const messageOfFiles = (
  wado: Wado,
  call: StreamCall,
  study: StudyRef,
  parts: readonly FilePart[],
  tail: Buffer,
): Readable => {
  const pieces = ahead(groupsOf(parts), (group) => bytesOf(wado, call, study, group));
  const returns = createReturns(call.reply.raw, () => message.readableLength);
  const message: Readable = Readable.from(oneAfterAnother(pieces, tail, returns), { objectMode: false });
  return message;
};

/** Files that are read together, or one that is not read as a whole. */
type Group = { small: FilePart[] } | { alone: FilePart };

function* groupsOf(parts: readonly FilePart[]): Generator<Group> {
  let small: FilePart[] = [];
  let bytes = 0;
  for (const part of parts) {
    const isSmall = !part.isTranscoded && part.file.size <= readWhole;
    const length = part.head.length + part.file.size;
    if (small.length > 0 && (!isSmall || bytes + length > together())) {
      yield { small };
      [small, bytes] = [[], 0];
    }
    if (isSmall) {
      small.push(part);
      bytes += length;
    } else {
      yield { alone: part };
    }
  }
  if (small.length > 0) yield { small };
}

/** A group as it goes out: small files have been read, a large one or one to be transcoded has not. */
const bytesOf = async (
  { blobs, objects, renderer }: Wado,
  { session }: StreamCall,
  study: StudyRef,
  group: Group,
): Promise<AsyncIterable<Buffer> | Buffer[]> => {
  const { tenantId } = session;
  if ('small' in group) return [await readTogether(blobs, tenantId, group.small)];
  const { head, file, isTranscoded } = group.alone;
  if (!isTranscoded) return following(head, () => blobs.stream(tenantId, file.sha256));
  const instance = await objects.instance(session, study, file.seriesUid, file.instanceUid);
  return following(head, (await transcode({ blobs, renderer }, tenantId, instance)).bytes);
};

const readTogether = async (blobs: Wado['blobs'], tenantId: number, parts: readonly FilePart[]): Promise<Buffer> => {
  const bytes = lendShared(parts.reduce((sum, { head, file }) => sum + head.length + file.size, 0));
  const files: WholeFile[] = [];
  let at = 0;
  for (const { head, file } of parts) {
    at += head.copy(bytes, at);
    files.push({ sha256: file.sha256, size: file.size, at });
    at += file.size;
  }
  await blobs.readFiles(tenantId, bytes, files);
  return bytes;
};

/** The bytes are begun only when they are wanted: nobody would close what has been opened for a client that has gone. */
async function* following(head: Buffer, bytes: () => AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield head;
  yield* bytes();
}

async function* oneAfterAnother(
  pieces: AsyncIterable<AsyncIterable<Buffer> | Buffer[]>,
  tail: Buffer,
  returns: ReturnType<typeof createReturns>,
): AsyncGenerator<Buffer> {
  messagesOnTheirWay += 1;
  try {
    for await (const piece of pieces) {
      for await (const bytes of piece) {
        returns.collect();
        returns.handOver(bytes);
        yield bytes;
      }
    }
    yield tail;
  } finally {
    messagesOnTheirWay -= 1;
  }
}

/** Does the work for one item while the one before it is being used. */
async function* ahead<T, R>(items: Iterable<T>, work: (item: T) => Promise<R>): AsyncGenerator<R> {
  const left = items[Symbol.iterator]();
  const begin = (): Promise<R> | undefined => {
    const item = left.next();
    if (item.done) return undefined;
    const result = work(item.value);
    // It is looked at when it is awaited; until then a failure is nobody's.
    result.catch(() => {});
    return result;
  };
  for (let next = begin(); next;) {
    const result = await next;
    next = begin();
    yield result;
  }
}
