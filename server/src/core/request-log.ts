import { type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import pg from 'pg';
import { StorageAway } from './blob-store.ts';

type ErrorFacts = { type: string; message: string; stack: string; [fact: string]: unknown };

/**
 * What the log may know of an error. The messages of PostgreSQL and of a JSON parser quote the values that they
 * stumble over, which may be a patient's: of those the code and the place must do.
 */
export const errorFacts = (error: unknown): ErrorFacts => {
  if (!(error instanceof Error)) return { type: typeof error, message: 'not an error', stack: '' };
  const { name, message, stack = '' } = error;
  const quotesValues = error instanceof pg.DatabaseError || error instanceof SyntaxError;
  const { code, table, constraint } = error as Partial<pg.DatabaseError>;
  const frames = stack.split('\n').filter((line) => line.startsWith('    at '));
  return {
    type: name,
    message: quotesValues ? 'withheld, since it quotes values' : message,
    stack: frames.join('\n'),
    code,
    table,
    constraint,
    // To whoever calls, a store that is away is just that; whoever runs it has to know that its key was refused.
    ...(error instanceof StorageAway && { reason: error.reason }),
  };
};

/** A line of the log for what goes wrong in no call, where there is no logger yet or any more. `level` as pino's. */
export const faultLine = (level: 50 | 60, msg: string, error: unknown): string =>
  `${JSON.stringify({ level, time: Date.now(), err: errorFacts(error), msg })}\n`;

/**
 * Fastify's own lines are off: ids, names and tokens stand in addresses and headers. What breaks off after an
 * answer has begun reaches no error handler, so it is written down here; a client that left is no error.
 */
export class RequestLog extends LogController {
  constructor() {
    super({ disableRequestLogging: true });
  }

  override streamError(error: Error & { code?: string }, request: FastifyRequest, _reply: FastifyReply): void {
    if (error.code === 'ERR_STREAM_PREMATURE_CLOSE') return;
    request.log.error({ traceId: request.id, route: request.routeOptions.url, err: error }, 'broke off');
  }
}
