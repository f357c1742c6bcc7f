import { t } from '@radwork/contract/core/translate';
import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { ByteRange } from '#core/blobs/blob-store.ts';
import type { StreamCall } from '#core/http/http.ts';
import { Problem } from '#core/http/problem.ts';
import { isNotModified } from './entity-tags.ts';
import { returnBufferWhenSent } from '#core/resources/buffer-pool.ts';

/** Bytes to send. They are read only when needed. */
export type ByteSource = {
  contentType: string;
  /** The entity tag, which must be strong. */
  etag: string;
  headers: Record<string, string>;
  size: number;
  /** Reads a range of the bytes, or all. */
  read: (range: ByteRange) => Promise<Buffer> | Readable;
};

/** Body of a reply to HEAD. It is empty, because HEAD needs only the headers. */
export const noBody = (): Readable => Readable.from([]);

export const isHead = ({ method }: FastifyRequest): boolean => method === 'HEAD';

/**
 * Answers with bytes, or with the single range that a client requests (RFC 9110 §14). The status is 206 for a range,
 * 304 if the client already has the bytes, and 416 for a range after their end. HEAD returns the length without
 * reading.
 */
export const sendBytes = async ({ request, reply }: StreamCall, source: ByteSource) => {
  const { contentType, etag, headers, size, read } = source;
  const validators = { ...headers, etag, 'accept-ranges': 'bytes' };
  if (isNotModified(request, etag)) return reply.headers(validators).status(304).send();

  const requestedRange = rangeOf(request, source);
  if (requestedRange === 'unsatisfiable') {
    void reply.header('content-range', `bytes */${size}`);
    throw new Problem(416, 'range.unsatisfiable', t`The range is outside the ${size} bytes available`);
  }
  const range = requestedRange ?? { offset: 0, length: size };
  const body = isHead(request) ? noBody() : await read(range);
  if (Buffer.isBuffer(body)) {
    if (body.length !== range.length) throw new Error('Fewer bytes are stored than recorded');
    returnBufferWhenSent(reply.raw, body);
  }

  void reply.headers(validators).type(contentType).header('content-length', range.length);
  if (requestedRange) {
    const last = range.offset + range.length - 1;
    void reply.status(206).header('content-range', `bytes ${range.offset}-${last}/${size}`);
  }
  return reply.send(body);
};

/**
 * Returns the single range that a client requests. Undefined for several ranges, which may be answered with all bytes,
 * and for HEAD, which has no ranges (RFC 9110 §14.2).
 */
const rangeOf = (request: FastifyRequest, { etag, size }: ByteSource): ByteRange | 'unsatisfiable' | undefined => {
  if (isHead(request)) return undefined;
  const { headers } = request;
  const ifRange = headers['if-range'];
  if (ifRange !== undefined && ifRange !== etag) return undefined;
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers.range ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  const offset = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1);
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  return offset < end ? { offset, length: end - offset } : 'unsatisfiable';
};
