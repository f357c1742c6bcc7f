import { promisify } from 'node:util';
import { constants, gzip, gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';

const compress = promisify(gzip);

/** Smaller answers fill one packet either way. */
const worthIt = 1024;
/** What takes longer than half a millisecond is done beside, and not while everybody waits. */
const doneAtOnce = 64 * 1024;
/** A weight of zero refuses (RFC 9110 §12.5.3). */
const takesGzip = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/;
const level = { level: constants.Z_BEST_SPEED };

/**
 * Compresses answers that are text in one go: most are lists of a few kilobytes, for which a chain of streams costs more
 * than the compression. What is a stream, or compressed already, is left to whoever made it.
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
