import { t } from '@radwork/contract/core/translate';
import { walkFragments } from '@radwork/dicom/fragments';
import { type ReadBytes, withReadAhead } from '@radwork/dicom/byte-window';
import { type DicomJson, numberOf } from '@radwork/dicom/dataset';
import { tagOf } from '@radwork/dicom/dictionary';
import type { FrameRanges } from '@radwork/dicom/frame-ranges';
import { transferSyntaxOf } from '@radwork/dicom/transfer-syntax';
import { Readable } from 'node:stream';
import type { StreamCall } from '#core/http/http.ts';
import { Problem } from '#core/http/problem.ts';
import { acceptHeaderOf, preferredMediaType } from '#imaging/archive/dicomweb/accept-header.ts';
import { isNotModified, strongTag } from '#imaging/archive/dicomweb/entity-tags.ts';
import type { StoredInstance } from '#imaging/archive/dicomweb/stored-instances.ts';
import { readInChunks, within } from '#imaging/archive/retrieve/byte-ranges.ts';
import { documentTypeOf, documentTypes, headersOfContent } from '#imaging/archive/retrieve/document-types.ts';
import { openBulk } from '#imaging/archive/retrieve/read-bulkdata.ts';
import { readHeaderOf } from '#imaging/archive/header/read-header.ts';
import { readMetadata } from '#imaging/archive/retrieve/read-metadata.ts';
import { renderingRevision } from './rendering-revision.ts';
import { isReport, reportAsHtml, reportAsText } from './report-document.ts';
import { isHead, noBody, sendBytes } from '#imaging/archive/dicomweb/send-bytes.ts';
import type { Wado } from '#imaging/archive/dicomweb/wado-context.ts';

/**
 * Answers an instance that is not an image (PS3.18 §8.7.4): its encapsulated document, its video, or its structured
 * report as page or text. Otherwise throws 406 with a message that names what is available.
 */
export const renderObject = async (wado: Wado, call: StreamCall, instance: StoredInstance) => {
  if (transferSyntaxOf(instance.transferSyntaxUid)?.codec === 'video') return sendVideo(wado, call, instance);
  const metadata = await readMetadata(wado, call.session, instance);
  if (metadata[tagOf('EncapsulatedDocument')]) return sendDocument(wado, call, instance, metadata);
  if (isReport(metadata)) return sendReport(call, instance, metadata);
  const words = t`This instance has no image. Its metadata (…/metadata) and its file (application/dicom) are available`;
  throw new Problem(406, 'rendered.no_image', words);
};

/** Throws 406 when a client accepts none of the media types. */
const demandAccept = <T extends string>({ request }: StreamCall, mediaTypes: readonly T[]): T => {
  const mediaType = preferredMediaType(acceptHeaderOf(request), mediaTypes);
  if (mediaType) return mediaType;
  const available = mediaTypes.join(', ');
  throw new Problem(406, 'rendered.media_type', t`This instance is available as ${available}`);
};

const sendDocument = async (wado: Wado, call: StreamCall, instance: StoredInstance, metadata: DicomJson) => {
  const contentType = documentTypeOf(metadata) ?? 'application/octet-stream';
  demandAccept(call, [contentType]);
  const { read, length } = await openDocument(wado, call, instance, metadata);
  return sendBytes(call, {
    contentType,
    etag: strongTag(instance.sha256, 'document'),
    headers: {
      ...headersOfContent,
      'content-disposition': `attachment; filename="document.${documentTypes.get(contentType) ?? 'bin'}"`,
    },
    size: trueLength(metadata, length),
    read: (range) => Readable.from(readInChunks(read, range.offset, range.length), { objectMode: false }),
  });
};

const openDocument = async (
  { blobs }: Wado,
  { session }: StreamCall,
  instance: StoredInstance,
  metadata: DicomJson,
): Promise<{ read: ReadBytes; length: number }> => {
  const { InlineBinary, BulkDataURI } = metadata[tagOf('EncapsulatedDocument')] ?? { vr: 'OB' };
  if (BulkDataURI) {
    const uri = BulkDataURI.slice(BulkDataURI.indexOf('/bulkdata/') + 1);
    const bulk = await openBulk(blobs, session.tenantId, instance, uri);
    if (bulk) return bulk;
  }
  const bytes = Buffer.from(InlineBinary ?? '', 'base64');
  return { length: bytes.length, read: async (offset, length) => bytes.subarray(offset, offset + length) };
};

/** Removes the padding byte that makes the length even (PS3.3 §C.24.2, Encapsulated Document Length). */
const trueLength = (metadata: DicomJson, length: number): number => {
  const named = numberOf(metadata, 'EncapsulatedDocumentLength');
  return named === length - 1 ? named : length;
};

const sendReport = async (call: StreamCall, instance: StoredInstance, metadata: DicomJson) => {
  const { request, reply } = call;
  const mediaType = demandAccept(call, ['text/html', 'text/plain']);
  const headers = { ...headersOfContent, etag: strongTag(renderingRevision, instance.sha256, mediaType) };
  if (isNotModified(request, headers.etag)) return reply.headers(headers).status(304).send();
  const text = mediaType === 'text/html' ? reportAsHtml(metadata) : reportAsText(metadata);
  const body = Buffer.from(text);
  void reply.headers(headers).type(`${mediaType}; charset=utf-8`);
  return reply.send(isHead(request) ? noBody() : body);
};

/** Sends a video as it is stored in the file. Browsers may read ranges of it. */
const sendVideo = async ({ blobs }: Wado, call: StreamCall, instance: StoredInstance) => {
  const { sha256, size, transferSyntaxUid } = instance;
  const read: ReadBytes = (offset, length) => blobs.read(call.session.tenantId, sha256, offset, length);
  const ranges = await fragmentsOf(read, size);
  const [[start, length] = [0, 0]] = ranges;
  const declared = transferSyntaxOf(transferSyntaxUid)?.mediaType ?? 'video/mp4';
  const contentType = containerOf(await read(start, Math.min(length, 12))) ?? declared;
  demandAccept(call, [contentType]);
  const all = ranges.reduce((sum, [, bytes]) => sum + bytes, 0);
  const pieces = async function* (wanted: FrameRanges) {
    for (const [offset, bytes] of wanted) yield* readInChunks(read, offset, bytes);
  };
  return sendBytes(call, {
    contentType,
    etag: strongTag(sha256, 'video'),
    headers: headersOfContent,
    size: all,
    read: (range) => Readable.from(pieces(within(ranges, range.offset, range.length)), { objectMode: false }),
  });
};

const fragmentsOf = async (read: ReadBytes, size: number): Promise<FrameRanges> => {
  const { pixelData } = await readHeaderOf(read, size);
  if (!pixelData) return [];
  const { fragments } = await walkFragments(withReadAhead(read, size), pixelData.offset, size);
  return fragments.map(({ offset, length }) => [offset, length]);
};

/**
 * Detects the container by the first bytes, because the transfer syntax does not define it (PS3.5 §8.2.5 to §8.2.8).
 */
const containerOf = (start: Buffer): string | undefined => {
  if (start.toString('latin1', 4, 8) === 'ftyp') return 'video/mp4';
  return start[0] === 0x47 ? 'video/mp2t' : undefined;
};
