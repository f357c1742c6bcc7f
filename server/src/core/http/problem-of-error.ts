import { t } from '@radwork/contract/core/translate';
import { hasSqlState, isCanceled, isDeadlock } from '#core/database/database.ts';
import { fileMissing, malformed, Problem } from './problem.ts';

/**
 * Codes of failed or broken connections, from the operating system and PostgreSQL. 0A000 means that we ended the
 * connection (`endingWhenOutdated` in database.ts).
 */
const databaseIsAway = new Set('ECONNREFUSED ECONNRESET EPIPE 57P01 57P02 57P03 08006 08001 53300 0A000'.split(' '));

/** Messages of the database client when a connection ends during a query. These errors have no code. */
const connectionHasEnded = /^Connection terminated|connection error and is not queryable/;

/** The wait for a lock timed out (`lock_timeout`). */
const lockNotAvailable = '55P03';

/** PostgreSQL has no disk space or memory. The operator can add some. */
const hasNoRoom = new Set(['53100', '53200']);

/** Text with a NUL character, or a number or date outside the range of the column (PostgreSQL, class 22). */
const holdsNoSuchValue = new Set(['22021', '22003', '22008']);

/** Properties of the errors of Node, Fastify and PostgreSQL. */
type ErrorFields = { statusCode?: number; code?: string; syscall?: string; message?: string };

/** Converts any error to the Problem of the reply. */
export const problemOf = (error: unknown): Problem => {
  if (error instanceof Problem) return error;
  const { statusCode, code, syscall, message } = (error ?? {}) as ErrorFields;
  if (statusCode === 413)
    return new Problem(413, 'request.too_large', t`The request is larger than the server accepts`);
  if (statusCode && statusCode < 500)
    return new Problem(statusCode, 'request.malformed', message ?? t`Invalid request data`);
  // A missing socket belongs to the database. Any other missing file belongs to the archive (blob-store.ts).
  if (code === 'ENOENT' && syscall !== 'connect') return fileMissing();
  if (code === 'ENOENT' || databaseIsAway.has(code ?? '') || connectionHasEnded.test(message ?? '')) {
    return new Problem(503, 'database.away', t`The database cannot be reached. Try again in a moment.`, {
      retryAfterSeconds: 2,
    });
  }
  if (isDeadlock(error)) {
    return new Problem(503, 'database.busy', t`Another user is changing the same data. Try again.`, {
      retryAfterSeconds: 1,
    });
  }
  if (isCanceled(error) || hasSqlState(error, lockNotAvailable)) {
    return new Problem(503, 'database.busy', t`The database took too long. Try again in a moment.`, {
      retryAfterSeconds: 5,
    });
  }
  if (code && hasNoRoom.has(code)) {
    return new Problem(503, 'database.no_room', t`The database is out of disk space or memory. Try again later.`, {
      retryAfterSeconds: 30,
    });
  }
  if (code && holdsNoSuchValue.has(code)) return malformed(t`The request contains a value that cannot be stored`);
  return new Problem(500, 'internal', t`Server error occurred`);
};
