import type { Body, Endpoint, Input, Place } from '@radwork/contract/endpoint';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { header } from './caller.ts';
import { readForm, type SentFile } from './form-data.ts';
import { isId } from './ids.ts';
import { invalid, malformed, notFound } from './problem.ts';

/** An upload before it has been read. */
export type Upload<E> = Place<E> & {
  /**
   * Reads the call to its end and answers its body. Each file is handed over as it arrives; what `take` leaves of it
   * unread is skipped.
   */
  read: (take: (file: SentFile) => Promise<void>) => Promise<Body<E>>;
};

export type WatchedInput = { params: Record<string, string>; query: Record<string, unknown> };

/** What an address names, as it was asked for. */
export const watchedInput = ({ params, query }: FastifyRequest): WatchedInput => ({
  params: params as Record<string, string>,
  query: query as Record<string, unknown>,
});

const readParams = (request: FastifyRequest): Record<string, string> => {
  const params = request.params as Record<string, string>;
  // An id that is no id belongs to nothing; asking the database would be an error of ours.
  if (Object.entries(params).some(([key, value]) => /^id$|Id$/.test(key) && !isId(value))) throw notFound('page');
  return params;
};

/** A call that brings files, its address read and its body not yet. Throws a 404. */
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

/** A call as its endpoint describes it. Throws a 404 for an id that is none, 400 and 422 for what does not fit. */
export const readInput = <E extends Endpoint>(endpoint: E, request: FastifyRequest): Input<E> => {
  const input: unknown = {
    params: readParams(request),
    query: readQuery(endpoint.query, request.query),
    body: readBody(endpoint.body, request.body),
  };
  // What the schemas above let through is what the endpoint's own type says.
  return input as Input<E>;
};

const readQuery = (schema: z.ZodType | undefined, value: unknown) => {
  // A form that is sent with empty fields asks for nothing by them.
  const asked = Object.fromEntries(Object.entries(value as Record<string, unknown>).filter(([, text]) => text !== ''));
  const parsed = schema?.safeParse(asked);
  if (parsed?.success === false) throw malformed(parsed.error.issues[0]?.message ?? 'Invalid request data');
  return parsed?.data;
};

const readBody = (schema: z.ZodType | undefined, value: unknown) => {
  // A form may bring files alone.
  if (value === undefined && schema?.safeParse(value).success) return undefined;
  if (schema && (typeof value !== 'object' || value === null || Array.isArray(value))) {
    throw malformed('Invalid request data');
  }
  const parsed = schema?.safeParse(value);
  if (parsed?.success === false) {
    throw invalid(Object.fromEntries(parsed.error.issues.map((issue) => [issue.path.join('.'), issue.message])));
  }
  return parsed?.data;
};
