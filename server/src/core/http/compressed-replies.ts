import { promisify } from 'node:util';
import { constants, gzip, gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';

const compress = promisify(gzip);

/** Number of bytes from which a reply is compressed. A smaller reply needs one packet in any case. */
const worthIt = 1024;
/**
 * Number of bytes up to which a reply is compressed in the main thread. More would take over half a millisecond and
 * block other calls, so the thread pool compresses it.
 */
const doneAtOnce = 64 * 1024;
/** Matches an Accept-Encoding header that accepts gzip. A weight of zero refuses gzip (RFC 9110 §12.5.3). */
const takesGzip = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/;
const level = { level: constants.Z_BEST_SPEED };

/**
 * Compresses a text reply in one step. Most replies are lists of a few kilobytes, for which setting up a stream takes
 * longer than compressing. Streams and already compressed replies stay unchanged.
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
