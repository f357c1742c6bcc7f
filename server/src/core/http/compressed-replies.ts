import { promisify } from 'node:util';
import { constants, gzip, gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';

const compress = promisify(gzip);

/** Bytes. A smaller reply fits into one packet anyway. */
const worthIt = 1024;
/** Bytes. Compressing more takes over half a millisecond, so it runs in the thread pool and does not block. */
const doneAtOnce = 64 * 1024;
/** A weight of zero refuses gzip (RFC 9110 §12.5.3). */
const takesGzip = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/;
const level = { level: constants.Z_BEST_SPEED };

/**
 * Compresses text replies in one step. Most are lists of a few kilobytes, for which a stream pipeline costs more than
 * the compression. Streams and compressed replies are left unchanged.
 */
export const compressReplies = (app: FastifyInstance): void => {
  app.addHook('onSend', async (request, reply, payload) => {
    if (typeof payload !== 'string' || payload.length < worthIt || reply.hasHeader('content-encoding')) return payload;
    const varies = [reply.getHeader('vary'), 'accept-encoding'].flat().filter(Boolean).join(', ');
    void reply.header('vary', varies);
    if (!takesGzip.test(request.headers['accept-encoding'] ?? '')) return payload;
    void reply.header('content-encoding', 'gzip').removeHeader('content-length');
    return payload.length <= doneAtOnce ? gzipSync(payload, level) : compress(payload, level);
  });
};
