import { notFound } from '#core/problem.ts';
import type { StreamCall } from '#core/http.ts';
import { closingBoundary, newBoundary, partHeader } from '@radwork/dicom/multipart';
import { acceptedRanges } from './accept.ts';
import { pathParameter } from './path-uids.ts';
import { readBulk } from './read-bulk.ts';
import { openInstance, type Wado } from './wado.ts';

/**
 * A long value by the path that the metadata gave for it (PS3.18 §10.4.1.1.5): as the one part of a message, or bare
 * for a client that asks for application/octet-stream alone.
 */
export const answerBulkdata = async (wado: Wado, call: StreamCall) => {
  const { request, reply, session } = call;
  const instance = await openInstance(wado, call);
  const uri = `bulkdata/${pathParameter(request, '*')}`;
  const bytes = await readBulk(wado.blobs, session.tenantId, instance, uri);
  if (!bytes) throw notFound('bulk data');

  const contentType = 'application/octet-stream';
  void reply.headers({ 'cache-control': 'private, max-age=3600, immutable', vary: 'Accept, Authorization' });
  const [range] = acceptedRanges(request.headers.accept);
  if (range?.type === contentType) return reply.type(contentType).send(bytes);
  const boundary = newBoundary();
  return reply
    .type(`multipart/related; type="${contentType}"; boundary=${boundary}`)
    .send(Buffer.concat([partHeader({ boundary, contentType }), bytes, closingBoundary(boundary)]));
};
