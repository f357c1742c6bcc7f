import { type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import pg from 'pg';
import { StorageUnavailable } from '#core/blobs/blob-store.ts';

type ErrorFacts = { type: string; message: string; stack: string; [fact: string]: unknown };

/**
 * Returns the facts of an error for the log. Messages of PostgreSQL and of JSON parsers quote values, which may be
 * patient data. For these errors, only code and location are logged.
 */
export const errorFacts = (error: unknown): ErrorFacts => {
  if (!(error instanceof Error)) return { type: typeof error, message: 'not an error', stack: '' };
  const { name, message, stack = '' } = error;
  const quotesValues = error instanceof pg.DatabaseError || error instanceof SyntaxError;
  const { code, table, constraint } = error as Partial<pg.DatabaseError>;
  const frames = stack.split('\n').filter((line) => line.startsWith('    at '));
  return {
    type: name,
    message: quotesValues ? 'withheld because it quotes values' : message,
    stack: frames.join('\n'),
    code,
    table,
    constraint,
    // The caller sees only that the store cannot be reached. The operator needs the reason, such as a refused key.
    ...(error instanceof StorageUnavailable && { reason: error.reason }),
  };
};

/** Formats a log line for an error outside a call, where there is no logger. `level` as in pino. */
export const faultLine = (level: 50 | 60, msg: string, error: unknown): string =>
  `${JSON.stringify({ level, time: Date.now(), err: errorFacts(error), msg })}\n`;

/**
 * Replaces Fastify's request log, because URLs and headers contain ids, names and tokens. An error after the start of
 * the reply reaches no error handler, so it is logged here. A client that leaves is not an error.
 */
export class RequestLog extends LogController {
  constructor() {
    super({ disableRequestLogging: true });
  }

  override streamError(error: Error & { code?: string }, request: FastifyRequest, _reply: FastifyReply): void {
    if (error.code === 'ERR_STREAM_PREMATURE_CLOSE') return;
    request.log.error({ traceId: request.id, route: request.routeOptions.url, err: error }, 'response interrupted');
  }
}
