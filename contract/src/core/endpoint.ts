import type { z } from 'zod';
import type { Access } from './access.ts';

/** Action in the form "noun.verb", such as "report.finalize". */
export type AuditAction = `${string}.${string}`;

/** Kind of object to which the ID in the path belongs. */
export type PathEntity =
  | 'study'
  | 'studyUid'
  | 'patient'
  | 'report'
  | 'critical_finding'
  | 'follow_up'
  | 'peer_review'
  | 'import_job'
  | 'remote_configuration'
  | 'stored_file';

/** How a read is audited. Its entry is written after the response, so that the caller does not wait for it. */
export type AuditedReading = {
  action: AuditAction;
  entity: string;
  about?: PathEntity;
  /** The action instead, when the page of a reader loads the data in advance (prefetchHeader). */
  prefetched?: AuditAction;
};

/**
 * Header of a GET by which a page loads a study in advance, before its reader opens it. The audit log then says so instead
 * of "opened".
 */
export const prefetchHeader = 'x-prefetch';

/**
 * How a call is audited, or why it is not. A string is the action that the service records in the transaction of the
 * change.
 */
export type AuditDeclaration = AuditAction | AuditedReading | { because: string };

export const asReading = (
  action: AuditAction,
  entity: string,
  about?: PathEntity,
  prefetched?: AuditAction,
): AuditedReading => ({
  action,
  entity,
  ...(about && { about }),
  ...(prefetched && { prefetched }),
});

export const unaudited = (because: string): { because: string } => ({ because });

/** Reasons for not auditing a call. Several calls share each reason. */
export const notAudited = {
  countsOnly: unaudited('returns a count without patients'),
  ownText: unaudited("saves the caller's own text; reading it with the report is audited"),
  noPatient: unaudited('returns no patient data'),
  own: unaudited("the caller's own settings and list"),
};

/**
 * One HTTP call. The server implements it, the web client calls it, and the tests call every endpoint. The path names
 * its parameters. Paths are relative to /api.
 */
export type Endpoint<
  Path extends string = string,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
> = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: Path;
  can: Access;
  audited: AuditDeclaration;
  query?: Query;
  body?: Body;
  reply?: Reply;
  /** Largest body in bytes. Default: the limit of the server. */
  largestBody?: number;
  /** HTTP status of success if not 200. The code in the envelope is still 200. */
  successStatus?: 201;
  /** Parts of a form with files. If set, the body is such a form. */
  upload?: UploadParts;
  /** Whether users may make the call before they have set up a required second factor. */
  isForEnrolling?: boolean;
  /** Marks a GET with a side effect, such as counting a view. It does not support HEAD. */
  hasEffect?: true;
  /** Whether the call ends the caller's session. The response then tells the browser to delete its data. */
  endsSession?: true;
  /** Whether a string reply is sent as plain text, unless the caller asks for JSON. */
  isPlainText?: boolean;
};

/** Form with files: the name of the part with the JSON body, and the names of the file parts, which may repeat. */
export type UploadParts = { part: string; files: readonly string[] };

/** Call that transfers bytes instead of the JSON envelope: DICOMweb, images, downloads. */
export type StreamEndpoint<Path extends string = string> = {
  method: 'GET' | 'POST' | 'DELETE';
  path: Path;
  can: Access;
  audited: AuditDeclaration;
  /**
   * Whether the call transfers images, sometimes hundreds per second. The server then applies a separate rate limit.
   */
  carriesImages?: boolean;
  /** As in `Endpoint`. */
  hasEffect?: true;
};

type None = z.ZodVoid;
type Params<P> = P extends `${string}:${infer K}/${infer Rest}`
  ? { [key in K]: string } & Params<`/${Rest}`>
  : P extends `${string}:${infer K}`
    ? { [key in K]: string }
    : unknown;
type Part<K extends string, S extends z.ZodType, T> = S extends None ? unknown : { [key in K]: T };
type ParamsPart<P> = unknown extends Params<P> ? unknown : { params: Params<P> };

/** Arguments of the caller. */
export type Call<E> =
  E extends Endpoint<infer P, infer Q, infer B>
    ? ParamsPart<P> & Part<'query', Q, z.input<Q>> & Part<'body', B, z.input<B>>
    : never;

/** Input of the handler, after validation and with defaults. */
export type Input<E> =
  E extends Endpoint<infer P, infer Q, infer B>
    ? ParamsPart<P> & Part<'query', Q, z.output<Q>> & Part<'body', B, z.output<B>>
    : never;

/** Path parameters of a call. */
export type Place<E> = E extends Endpoint<infer P> ? ParamsPart<P> : never;
export type Query<E> = E extends Endpoint<string, infer Q> ? z.output<Q> : never;
export type Body<E> = E extends Endpoint<string, z.ZodType, infer B> ? z.output<B> : never;
export type Reply<E> = E extends Endpoint<string, z.ZodType, z.ZodType, infer R> ? z.output<R> : never;

const at =
  (method: Endpoint['method']) =>
  <const P extends string, Q extends z.ZodType = None, B extends z.ZodType = None, R extends z.ZodType = None>(
    path: P,
    spec: Omit<Endpoint<P, Q, B, R>, 'method' | 'path'>,
  ): Endpoint<P, Q, B, R> => ({ method, path, ...spec });

export const get = at('GET');
export const post = at('POST');
export const put = at('PUT');
export const patch = at('PATCH');
export const del = at('DELETE');

export const stream = <const P extends string>(
  method: StreamEndpoint['method'],
  path: P,
  can: Access,
  audited: AuditDeclaration,
  more: Pick<StreamEndpoint, 'hasEffect'> = {},
): StreamEndpoint<P> => ({
  method,
  path,
  can,
  audited,
  ...more,
});

export const imageStream = <const P extends string>(
  method: StreamEndpoint['method'],
  path: P,
  can: Access,
  audited: AuditDeclaration,
): StreamEndpoint<P> => ({ ...stream(method, path, can, audited), carriesImages: true });
