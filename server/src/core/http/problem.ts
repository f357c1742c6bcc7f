import { t } from '@radwork/contract/core/translate';
import { secondFactorMissing } from '@radwork/contract/identity/accounts';
import type { Failure } from '@radwork/contract/core/failure';
import { missing, type MissingThing } from './missing-things.ts';

/**
 * An error that the caller may see: a status, a stable code ("report.move") and a message. For every other error, the
 * caller sees only status 500.
 */
export class Problem extends Error {
  readonly status: number;
  readonly error: string;
  readonly fields: Record<string, string> | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    status: number,
    error: string,
    message: string,
    more: { fields?: Record<string, string>; retryAfterSeconds?: number } = {},
  ) {
    super(message);
    this.status = status;
    this.error = error;
    this.fields = more.fields;
    this.retryAfterSeconds = more.retryAfterSeconds;
  }

  body(traceId: string): Failure {
    const errors = this.fields && Object.entries(this.fields).map(([field, message]) => ({ field, message }));
    return { code: this.status, error: this.error, message: this.message, ...(errors && { errors }), traceId };
  }
}

export const malformed = (message: string) => new Problem(400, 'request.malformed', message);
export const unauthenticated = (message = t`Authentication required`, error = 'session.missing') =>
  new Problem(401, error, message);
/** No valid session has this token. The reply makes the browser clear its cache. */
export class SessionEnded extends Problem {
  constructor(error = 'session.missing') {
    super(401, error, t`Authentication required`);
  }
}

export const forbidden = (message = t`Access denied`) => new Problem(403, 'access.denied', message);
export const secondFactorNeeded = () =>
  new Problem(
    403,
    secondFactorMissing,
    t`Your organization requires a second factor. Sign in with the browser and set it up.`,
  );
export const notFound = (subject: MissingThing) => {
  const { code, message } = missing(subject);
  return new Problem(404, `${code}.not_found`, message);
};
export const conflict = (error: string, message: string) => new Problem(409, error, message);
export const invalid = (fields: Record<string, string>) =>
  new Problem(422, 'form.invalid', Object.values(fields)[0] ?? t`Validation failed`, { fields });
export const tooMany = (message: string, retryAfterSeconds: number) =>
  new Problem(429, 'request.too_many', message, { retryAfterSeconds });

/** The archive has a record of the image, but its bytes are lost. This is an error of the server, so it is logged. */
export const fileMissing = () =>
  new Problem(
    500,
    'store.missing',
    t`A file is missing from the archive. Contact your administrator, or send the image again to restore it.`,
  );

/** Returns the row, or throws 404 when it is undefined. */
export const orNotFound = <T>(row: T | undefined, subject: MissingThing): T => {
  if (row === undefined) throw notFound(subject);
  return row;
};
