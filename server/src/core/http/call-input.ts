import { t } from '@radwork/contract/core/translate';
import type { Body, Endpoint, Input, Place } from '@radwork/contract/core/endpoint';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { header } from './caller.ts';
import { readForm, type SentFile } from '#core/uploads/form-data.ts';
import { isId } from '#core/values/ids.ts';
import { invalid, malformed, notFound } from './problem.ts';

/** An upload whose body is not read yet. */
export type Upload<E> = Place<E> & {
  /**
   * Reads the whole request and returns the form fields. Passes each file to `take` as it arrives, and skips what
   * `take` does not read.
   */
  read: (take: (file: SentFile) => Promise<void>) => Promise<Body<E>>;
};

export type WatchedInput = { params: Record<string, string>; query: Record<string, unknown> };

/** The path parameters and query of a request, unchecked. */
export const watchedInput = ({ params, query }: FastifyRequest): WatchedInput => ({
  params: params as Record<string, string>,
  query: query as Record<string, unknown>,
});

const readParams = (request: FastifyRequest): Record<string, string> => {
  const params = request.params as Record<string, string>;
  // A malformed id matches no record. In a query, it would cause a database error.
  if (Object.entries(params).some(([key, value]) => /^id$|Id$/.test(key) && !isId(value))) throw notFound('page');
  return params;
};

/** Reads the path parameters of an upload, but not the body. Throws 404. */
export const readUpload = <E extends Endpoint>({ body, upload }: E, request: FastifyRequest): Upload<E> => {
  const read = async (take: (file: SentFile) => Promise<void>) => {
    if (!upload || !header(request, 'content-type')?.toLowerCase().startsWith('multipart/')) {
      return readBody(body, request.body);
    }
    const check = (sent: unknown) => readBody(body, sent);
    return readForm(request, upload, { check, take });
  };
  const input: unknown = { params: readParams(request), read };
  return input as Upload<E>;
};

/**
 * Reads a request as its endpoint declares it. Throws 404 for a malformed id, and 400 or 422 for other invalid input.
 */
export const readInput = <E extends Endpoint>(endpoint: E, request: FastifyRequest): Input<E> => {
  const input: unknown = {
    params: readParams(request),
    query: readQuery(endpoint.query, request.query),
    body: readBody(endpoint.body, request.body),
  };
  // The checks above guarantee this type.
  return input as Input<E>;
};

const readQuery = (schema: z.ZodType | undefined, value: unknown) => {
  // An empty query field counts as absent, because forms send empty fields.
  const presentFields = Object.fromEntries(
    Object.entries(value as Record<string, unknown>).filter(([, text]) => text !== ''),
  );
  const parsed = schema?.safeParse(presentFields);
  if (parsed?.success === false) throw malformed(parsed.error.issues[0]?.message ?? t`Invalid request data`);
  return parsed?.data;
};

const readBody = (schema: z.ZodType | undefined, value: unknown) => {
  // A form may contain files and no body.
  if (value === undefined && schema?.safeParse(value).success) return undefined;
  if (schema && (typeof value !== 'object' || value === null || Array.isArray(value))) {
    throw malformed(t`Invalid request data`);
  }
  const parsed = schema?.safeParse(value);
  if (parsed?.success === false) {
    throw invalid(Object.fromEntries(parsed.error.issues.map((issue) => [issue.path.join('.'), issue.message])));
  }
  return parsed?.data;
};
