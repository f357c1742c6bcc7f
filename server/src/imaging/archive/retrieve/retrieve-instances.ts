import { t } from '@radwork/contract/core/translate';
import { Readable } from 'node:stream';
import { closingBoundary, newBoundary, partHeader } from '@radwork/dicom/multipart';
import { explicitLittleEndian } from '@radwork/dicom/transfer-syntax';
import { sql } from 'kysely';
import type { ByteRange } from '#core/blobs/blob-store.ts';
import type { StreamCall } from '#core/http/http.ts';
import { fileMissing, notFound, Problem } from '#core/http/problem.ts';
import type { Session } from '#core/access/scope.ts';
import { acceptedRanges, acceptHeaderOf } from '#imaging/archive/dicomweb/accept-header.ts';
import { isNotModified, strongTag, weakTag } from '#imaging/archive/dicomweb/entity-tags.ts';
import type { StoredInstance, StudyRef } from '#imaging/archive/dicomweb/stored-instances.ts';
import { createBufferReturns, borrowBuffer } from '#core/resources/buffer-pool.ts';
import { pathUid } from '#core/http/path-parameters.ts';
import { renderingRevision } from '#imaging/archive/render/rendering-revision.ts';
import { type Retrievable, type RetrieveForm, retrieveFormOf, acceptsMultipart } from './retrieve-form.ts';
import { isHead, noBody, sendBytes } from '#imaging/archive/dicomweb/send-bytes.ts';
import { cannotTranscode, transcode } from './transcode.ts';
import { instanceOf, openStudy, type Wado } from '#imaging/archive/dicomweb/wado-context.ts';
import { varies } from '#imaging/archive/dicomweb/vary-header.ts';

type StoredFile = Retrievable & { sha256: string; size: number; seriesUid: string; instanceUid: string };

type WantedFile = { file: StoredFile; isTranscoded: boolean };

/**
 * Answers with studies, series or instances as DICOM files (PS3.18 §10.4.1.1.1). Files are unchanged, or in Explicit VR
 * Little Endian if the client requires it. Leaves out files that are not available in that form, with status 206
 * (PS3.18 §10.4.3). Throws 406 when no file is available.
 */
export const retrieveStudy = async (wado: Wado, call: StreamCall) => {
  const study = await openStudy(wado, call);
  return sendFiles(wado, call, study, await filesOf(wado, call.session, study.id));
};

export const retrieveSeries = async (wado: Wado, call: StreamCall) => {
  const study = await openStudy(wado, call);
  const files = await filesOf(wado, call.session, study.id, pathUid(call.request, 'seriesUid'));
  return sendFiles(wado, call, study, files);
};

export const retrieveInstance = async (wado: Wado, call: StreamCall) => {
  const study = await openStudy(wado, call);
  const instance = await instanceOf(wado, call, study);
  const file = fileOf(instance, pathUid(call.request, 'seriesUid'));
  const form = retrieveFormOf(acceptedRanges(acceptHeaderOf(call.request)), file);
  if (!form) throw cannotTranscode(instance, available());
  return form.isMultipart ? sendFiles(wado, call, study, [file]) : sendFile(wado, call, instance, form);
};

const available = () => t`It is available as application/dicom, as stored or in Explicit VR Little Endian.`;
const caching = { 'cache-control': 'private, no-cache', vary: varies };

const framesOf = (numberOfFrames: number, isMapped: boolean, bitsAllocated: number | null): Retrievable['frames'] => {
  if (numberOfFrames === 0) return 'none';
  if (bitsAllocated === 1) return 'of one bit';
  return isMapped ? 'found' : 'cannot be told apart';
};

const fileOf = (instance: StoredInstance, seriesUid: string): StoredFile => ({
  sha256: instance.sha256,
  size: instance.size,
  transferSyntaxUid: instance.transferSyntaxUid,
  frames: framesOf(instance.numberOfFrames, instance.frameIndex !== null, instance.bitsAllocated),
  seriesUid,
  instanceUid: instance.sopInstanceUid,
});

const filesOf = async (
  { scopes }: Wado,
  session: Session,
  studyId: string,
  seriesUid?: string,
): Promise<StoredFile[]> => {
  const rows = await scopes.inTenant(session, ({ db }) =>
    db
      .selectFrom('instances')
      .innerJoin('series', 'series.id', 'instances.series_id')
      .select(['sha256', 'size', 'transfer_syntax_uid', 'number_of_frames', 'series_instance_uid', 'sop_instance_uid'])
      .select(['missing_since', 'bits_allocated', sql<boolean>`frame_index is not null`.as('is_mapped')])
      .where('instances.study_id', '=', studyId)
      .$if(seriesUid !== undefined, (query) => query.where('series_instance_uid', '=', seriesUid ?? ''))
      .orderBy(sql`series_number nulls last, series.id, instance_number nulls last, sop_instance_uid`)
      .execute(),
  );
  if (rows.length === 0) throw notFound('series');
  // Throws before the answer begins, because a study that ends early looks like a bad connection.
  if (rows.some((row) => row.missing_since !== null)) throw fileMissing();
  return rows.map((row) => ({
    sha256: row.sha256.toString('hex'),
    size: row.size,
    transferSyntaxUid: row.transfer_syntax_uid,
    frames: framesOf(row.number_of_frames, row.is_mapped, row.bits_allocated),
    seriesUid: row.series_instance_uid,
    instanceUid: row.sop_instance_uid,
  }));
};

/** Sends one bare file. Only the stored form supports ranges. */
const sendFile = async (wado: Wado, call: StreamCall, instance: StoredInstance, { isTranscoded }: RetrieveForm) => {
  const { blobs } = wado;
  const { tenantId } = call.session;
  const { sha256, size, contentRevision } = instance;
  if (!isTranscoded) {
    return sendBytes(call, {
      contentType: contentTypeOf(instance.transferSyntaxUid),
      etag: strongTag(sha256),
      headers: caching,
      size,
      read: (range) =>
        range.length <= readWhole ? readLent(blobs, tenantId, sha256, range) : blobs.stream(tenantId, sha256, range),
    });
  }
  const etag = strongTag(renderingRevision, sha256, contentRevision, explicitLittleEndian.uid);
  const { request, reply } = call;
  const headers = { ...caching, etag };
  if (isNotModified(request, etag)) return reply.headers(headers).status(304).send();
  const file = isHead(request) ? undefined : await transcode(wado, tenantId, instance);
  void reply.headers({ ...headers, ...(file && { 'content-length': file.length }) });
  const body = file ? Readable.from(file.bytes(), { objectMode: false }) : noBody();
  return reply.type(contentTypeOf(explicitLittleEndian.uid)).send(body);
};

const readLent = async (blobs: Wado['blobs'], tenantId: number, sha256: string, { offset, length }: ByteRange) => {
  const bytes = borrowBuffer(length);
  await blobs.readInto(tenantId, sha256, bytes, [{ offset, length, at: 0 }]);
  return bytes;
};

const contentTypeOf = (transferSyntaxUid: string): string => `application/dicom; transfer-syntax=${transferSyntaxUid}`;

const sendFiles = async (wado: Wado, call: StreamCall, study: StudyRef, files: readonly StoredFile[]) => {
  const { request, reply } = call;
  const ranges = acceptedRanges(acceptHeaderOf(request)).filter(acceptsMultipart);
  const acceptable = files.flatMap((file): WantedFile[] => {
    const form = retrieveFormOf(ranges, file);
    return form ? [{ file, isTranscoded: form.isTranscoded }] : [];
  });
  if (acceptable.length === 0) throw noneAvailable(files);

  const etag = weakTag(
    ...acceptable.map(({ file, isTranscoded }) =>
      [file.sha256, ...(isTranscoded ? [renderingRevision, study.contentRevision] : [])].join(' '),
    ),
  );
  void reply.headers({ ...caching, etag });
  if (isNotModified(request, etag)) return reply.status(304).send();
  const boundary = newBoundary();
  const parts = acceptable.map((one) => {
    const syntax = one.isTranscoded ? explicitLittleEndian.uid : one.file.transferSyntaxUid;
    return { ...one, head: partHeader({ boundary, contentType: contentTypeOf(syntax) }) };
  });
  const tail = closingBoundary(boundary);
  if (!acceptable.some(({ isTranscoded }) => isTranscoded)) {
    const length = parts.reduce((sum, { head, file }) => sum + head.length + file.size, tail.length);
    void reply.header('content-length', length);
  }
  void reply
    .status(acceptable.length < files.length ? 206 : 200)
    .type(`multipart/related; type="application/dicom"; boundary=${boundary}`);
  if (isHead(request)) return reply.send(noBody());
  const messages = prefetch(parts, (part) => partBytes(wado, call.session, study, part));
  const returns = createBufferReturns(reply.raw, () => stream.readableLength);
  const stream: Readable = Readable.from(streamOf(messages, tail, returns), { objectMode: false });
  return reply.send(stream);
};

const noneAvailable = (files: readonly StoredFile[]): Problem => {
  const syntaxes = [...new Set(files.map(({ transferSyntaxUid }) => transferSyntaxUid))].join(', ');
  return cannotTranscode({ transferSyntaxUid: syntaxes }, available());
};

/** Files up to this size are read whole, which is twice as fast as a stream. Only a few are in memory at once. */
const readWhole = 4 << 20;

type Part = WantedFile & { head: Buffer };

/** Returns a part to send. A small stored file is already read; other files are not. */
const partBytes = async (
  wado: Wado,
  session: Session,
  study: StudyRef,
  { head, file, isTranscoded }: Part,
): Promise<AsyncIterable<Buffer> | Buffer[]> => {
  const { blobs, objects } = wado;
  const { tenantId } = session;
  if (isTranscoded) {
    const instance = await objects.instance(session, study, file.seriesUid, file.instanceUid);
    return following(head, (await transcode(wado, tenantId, instance)).bytes);
  }
  const wholeRange = { offset: 0, length: file.size };
  if (file.size > readWhole) return following(head, () => blobs.stream(tenantId, file.sha256, wholeRange));
  const bytes = borrowBuffer(head.length + file.size);
  head.copy(bytes);
  await blobs.readInto(tenantId, file.sha256, bytes, [{ ...wholeRange, at: head.length }]);
  return [bytes];
};

/**
 * Opens the bytes only when they are needed. If they were opened earlier and the client left, nothing would close them.
 */
async function* following(head: Buffer, bytes: () => AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield head;
  yield* bytes();
}

async function* streamOf(
  messages: AsyncIterable<AsyncIterable<Buffer> | Buffer[]>,
  tail: Buffer,
  returns: ReturnType<typeof createBufferReturns>,
): AsyncGenerator<Buffer> {
  for await (const message of messages) {
    for await (const bytes of message) {
      returns.collect();
      returns.handOver(bytes);
      yield bytes;
    }
  }
  yield tail;
}

/** Prepares the next item while the current one is used. */
async function* prefetch<T, R>(items: readonly T[], work: (item: T) => Promise<R>): AsyncGenerator<R> {
  const begin = (index: number): Promise<R> | undefined => {
    const item = items[index];
    if (item === undefined) return undefined;
    const result = work(item);
    // Prevents an unhandled rejection. The error is handled when the result is awaited.
    result.catch(() => {});
    return result;
  };
  let next = begin(0);
  for (let index = 1; next; index += 1) {
    const result = await next;
    next = begin(index);
    yield result;
  }
}
