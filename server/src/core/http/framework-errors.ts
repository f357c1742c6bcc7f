import { t } from '@radwork/contract/core/translate';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '#core/config/config.ts';
import { newId } from '#core/values/ids.ts';
import { Problem } from './problem.ts';
import { secureHeadersFor } from './secure-headers.ts';

type Settings = Pick<Config, 'publicUrl'>;
type RequestError = { code?: string; statusCode?: number };

const json = { 'content-type': 'application/json; charset=utf-8' };

/**
 * Replies to calls that are refused before they reach a route: a malformed URL, or a path segment that is too long. The
 * default reply of the framework would repeat the URL with its ids and tokens.
 */
export const refuseAddress =
  (settings: Settings) => (error: RequestError, request: FastifyRequest, reply: FastifyReply) => {
    const problem =
      error.statusCode === 414
        ? new Problem(414, 'request.address_too_long', t`The address is longer than the server accepts`)
        : new Problem(400, 'request.malformed', t`The address is malformed`);
    return reply
      .status(problem.status)
      .headers({ ...secureHeadersFor(settings), ...json })
      .send(problem.body(request.id));
  };

/** Replies to bytes that the HTTP parser rejects. There is no request object, and the connection closes. */
export const refuseConnection =
  (settings: Settings) =>
  (error: RequestError, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    const problem = problemOfParser(error.code);
    if (socket.writable) {
      const body = JSON.stringify(problem.body(newId()));
      const headers = {
        ...secureHeadersFor(settings),
        ...json,
        'content-length': String(Buffer.byteLength(body)),
        connection: 'close',
      };
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
      const status = `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ''}`;
      socket.write(`${[status, ...lines].join('\r\n')}\r\n\r\n${body}`);
    }
    socket.destroySoon();
  };

const problemOfParser = (code: string | undefined): Problem => {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new Problem(431, 'request.headers_too_large', t`The headers are larger than the server accepts`);
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new Problem(408, 'request.too_slow', t`The request did not arrive in time. Try again.`);
  }
  return new Problem(400, 'request.malformed', t`The request is malformed`);
};
