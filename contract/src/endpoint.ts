import type { z } from 'zod';
import type { Access } from './access.ts';

/**
 * One HTTP call, described once: the server implements it, the web client calls it, and the tests
 * walk all of them. Path parameters are read from the path itself; paths are relative to /api.
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
  query?: Query;
  body?: Body;
  reply?: Reply;
  /** Bytes of the largest body that is read; without it, the server's own limit. */
  largestBody?: number;
  /** The HTTP status of success where it is not 200. The envelope's own code is 200 all the same. */
  successStatus?: 201;
  /** The body may come in a form, with files. */
  upload?: UploadParts;
  /** Whoever has to enrol a second factor first may call it before they have. */
  isForEnrolling?: boolean;
  /** It changes something although it is a GET, such as the count of openings: HEAD does not answer there. */
  hasEffect?: true;
  /** It ends the caller's own session: their browser is told to keep nothing of it. */
  endsSession?: true;
  /** The reply is a text, and sent as such to whoever does not ask for JSON. */
  isPlainText?: boolean;
};

/** A form with files: the part that holds the body as JSON, and the names under which files come, which may repeat. */
export type UploadParts = { part: string; files: readonly string[] };

/** A call that carries bytes instead of the JSON envelope: DICOMweb, pictures, downloads. */
export type StreamEndpoint<Path extends string = string> = {
  method: 'GET' | 'POST' | 'DELETE';
  path: Path;
  can: Access;
  /** It brings or takes images, of which there are hundreds a second at times: the server counts them apart. */
  carriesImages?: boolean;
  /** As that of an Endpoint. */
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

/** What a caller passes. */
export type Call<E> =
  E extends Endpoint<infer P, infer Q, infer B>
    ? ParamsPart<P> & Part<'query', Q, z.input<Q>> & Part<'body', B, z.input<B>>
    : never;

/** What a handler receives, after validation and defaults. */
export type Input<E> =
  E extends Endpoint<infer P, infer Q, infer B>
    ? ParamsPart<P> & Part<'query', Q, z.output<Q>> & Part<'body', B, z.output<B>>
    : never;

/** What stands in the path of a call. */
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
  more: Pick<StreamEndpoint, 'hasEffect'> = {},
): StreamEndpoint<P> => ({
  method,
  path,
  can,
  ...more,
});

export const imageStream = <const P extends string>(
  method: StreamEndpoint['method'],
  path: P,
  can: Access,
): StreamEndpoint<P> => ({ ...stream(method, path, can), carriesImages: true });
