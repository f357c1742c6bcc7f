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
import { type Bulk, openBulk } from './read-bulkdata.ts';
import { isHead, noBody, sendBytes } from '#imaging/archive/dicomweb/send-bytes.ts';
import { openInstance, type Wado } from '#imaging/archive/dicomweb/wado-context.ts';
import { varies } from '#imaging/archive/dicomweb/vary-header.ts';

const contentType = 'application/octet-stream';
const headers = { 'cache-control': 'private, max-age=3600, immutable', vary: varies };

/**
 * Answers with a long value by its path in the metadata (PS3.18 §10.4.1.1.5), as the single part of a multipart
 * message. A client that accepts only application/octet-stream gets the bare value, whole or a range.
 */
export const answerBulkdata = async (wado: Wado, call: StreamCall) => {
  const { request, session } = call;
  const instance = await openInstance(wado, call);
  const uri = `bulkdata/${pathParameter(request, '*')}`;
  const [range] = acceptedRanges(acceptHeaderOf(request)).filter((one) => takesBare(one) || takesParts(one));
  if (!range) throw new Problem(406, 'bulkdata.media_type', t`Bulk data is available as ${contentType}`);
  const bulk = await openBulk(wado.blobs, session.tenantId, instance, uri);
  if (!bulk) throw notFound('bulk data');
  if (!takesBare(range)) return sendPart(call, bulk, weakTag(instance.sha256, uri));
  return sendBytes(call, {
    contentType,
    etag: strongTag(instance.sha256, uri),
    headers,
    size: bulk.length,
    read: ({ offset, length }) => Readable.from(readInChunks(bulk.read, offset, length), { objectMode: false }),
  });
};

const takesBare = (range: MediaRange): boolean => range.type !== '*/*' && matchesMediaType(range, contentType);

const takesParts = (range: MediaRange): boolean => {
  if (range.type === '*/*' || range.type === 'multipart/*') return true;
  const type = range.parameters.get('type')?.toLowerCase() ?? contentType;
  return range.type === 'multipart/related' && matchesMediaType({ ...range, type }, contentType);
};

const sendPart = ({ request, reply }: StreamCall, { length, read }: Bulk, etag: string) => {
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
