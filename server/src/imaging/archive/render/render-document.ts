import { t } from '@radwork/contract/core/translate';
import type { ReadBytes } from '@radwork/dicom/byte-window';
import { type DicomJson, numberOf } from '@radwork/dicom/dataset';
import { tagOf } from '@radwork/dicom/dictionary';
import { Readable } from 'node:stream';
import type { StreamCall } from '#core/http/http.ts';
import { Problem } from '#core/http/problem.ts';
import { isNotModified, strongTag } from '#imaging/archive/dicomweb/entity-tags.ts';
import type { StoredInstance } from '#imaging/archive/dicomweb/stored-instances.ts';
import { readInChunks } from '#imaging/archive/retrieve/byte-ranges.ts';
import { documentTypeOf, documentTypes, headersOfContent } from '#imaging/archive/retrieve/document-types.ts';
import { openBulk } from '#imaging/archive/retrieve/read-bulkdata.ts';
import { readMetadata } from '#imaging/archive/retrieve/read-metadata.ts';
import { demandAccept } from './demand-accept.ts';
import { renderingRevision } from './rendering-revision.ts';
import { isReport, reportAsHtml, reportAsText } from './report-document.ts';
import { isHead, noBody, sendBytes } from '#imaging/archive/dicomweb/send-bytes.ts';
import type { Wado } from '#imaging/archive/dicomweb/wado-context.ts';
import { isVideo, sendVideo } from './send-video.ts';

/**
 * Answers an instance that is not an image (PS3.18 §8.7.4): its encapsulated document, its video, or its structured
 * report as page or text. Otherwise throws 406 with a message that names what is available.
 */
export const renderObject = async (wado: Wado, call: StreamCall, instance: StoredInstance) => {
  if (isVideo(instance)) return sendVideo(wado, call, instance);
  const metadata = await readMetadata(wado, call.session, instance);
  if (metadata[tagOf('EncapsulatedDocument')]) return sendDocument(wado, call, instance, metadata);
  if (isReport(metadata)) return sendReport(call, instance, metadata);
  const words = t`This instance has no image. Its metadata (…/metadata) and its file (application/dicom) are available`;
  throw new Problem(406, 'rendered.no_image', words);
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
  const declaredLength = numberOf(metadata, 'EncapsulatedDocumentLength');
  return declaredLength === length - 1 ? declaredLength : length;
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
