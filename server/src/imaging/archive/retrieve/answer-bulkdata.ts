import { t } from '@radwork/contract/core/translate';
import { Readable } from 'node:stream';
import { closingBoundary, newBoundary, partHeader } from '@radwork/dicom/multipart';
import type { StreamCall } from '#core/http/http.ts';
import { notFound, Problem } from '#core/http/problem.ts';
import {
  acceptedRanges,
  acceptHeaderOf,
  matchesMediaType,
  type MediaRange,
} from '#imaging/archive/dicomweb/accept-header.ts';
import { isNotModified, strongTag, weakTag } from '#imaging/archive/dicomweb/entity-tags.ts';
import { pathParameter } from '#core/http/path-parameters.ts';
import { readInChunks } from './byte-ranges.ts';
import { headersOfContent } from './document-types.ts';
import { type Bulk, openBulk } from './read-bulkdata.ts';
import { isHead, noBody, sendBytes } from '#imaging/archive/dicomweb/send-bytes.ts';
import { openInstance, type Wado } from '#imaging/archive/dicomweb/wado-context.ts';
import { variesBySeries } from '#imaging/archive/dicomweb/vary-header.ts';

const plainBytes = 'application/octet-stream';
const headers = { 'cache-control': 'private, max-age=3600, immutable', vary: variesBySeries };

/**
 * Answers a long value by its path in the metadata (PS3.18 §10.4.1.1.5): as a single part of a multipart message. A
 * client that asks only for application/octet-stream gets the bare value, whole or a range. An encapsulated document is
 * available in its own media type too, such as application/pdf (PS3.18 §8.7.3).
 */
export const answerBulkdata = async (wado: Wado, call: StreamCall) => {
  const { request, session } = call;
  const instance = await openInstance(wado, call);
  const uri = `bulkdata/${pathParameter(request, '*')}`;
  const bulk = await openBulk(wado.blobs, session.tenantId, instance, uri);
  if (!bulk) throw notFound('bulk data');
  const offered = bulk.mediaType ? [plainBytes, bulk.mediaType] : [plainBytes];
  const [form] = acceptedRanges(acceptHeaderOf(request)).flatMap((range) => formOf(range, offered) ?? []);
  const contentType = offered.join(', ');
  if (!form) throw new Problem(406, 'bulkdata.media_type', t`Bulk data is available as ${contentType}`);
  if (form.isMultipart) return sendPart(call, bulk, form.contentType, weakTag(instance.sha256, uri, form.contentType));
  return sendBytes(call, {
    contentType: form.contentType,
    etag: strongTag(instance.sha256, uri, form.contentType),
    headers: form.contentType === plainBytes ? headers : { ...headersOfContent, ...headers },
    size: bulk.length,
    read: ({ offset, length }) => Readable.from(readInChunks(bulk.read, offset, length), { objectMode: false }),
  });
};

type Form = { contentType: string; isMultipart: boolean };

/**
 * Returns the form of a value that an accepted range asks for: bare if the range names a media type, else multipart.
 */
const formOf = (range: MediaRange, offered: readonly string[]): Form | undefined => {
  if (range.type === '*/*' || range.type === 'multipart/*') return { contentType: plainBytes, isMultipart: true };
  const isMultipart = range.type === 'multipart/related';
  const type = isMultipart ? (range.parameters.get('type')?.toLowerCase() ?? plainBytes) : range.type;
  const contentType = offered.find((mediaType) => matchesMediaType({ ...range, type }, mediaType));
  return contentType === undefined ? undefined : { contentType, isMultipart };
};

const sendPart = ({ request, reply }: StreamCall, { length, read }: Bulk, contentType: string, etag: string) => {
  void reply.headers({ ...headers, etag });
  if (isNotModified(request, etag)) return reply.status(304).send();
  const boundary = newBoundary();
  const head = partHeader({ boundary, contentType });
  const tail = closingBoundary(boundary);
  void reply
    .type(`multipart/related; type="${contentType}"; boundary=${boundary}`)
    .header('content-length', head.length + length + tail.length);
  if (isHead(request)) return reply.send(noBody());
  const message = async function* () {
    yield head;
    yield* readInChunks(read, 0, length);
    yield tail;
  };
  return reply.send(Readable.from(message(), { objectMode: false }));
};
