import type { Access } from '@radwork/contract/access';
import { secondFactorMissing } from '@radwork/contract/account';
import type { Call, Endpoint, Reply, StreamEndpoint } from '@radwork/contract/endpoint';
import { failure } from '@radwork/contract/failure';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { isAttended } from './attention.ts';
import { noteAnswer, noteSilence } from './connection.ts';
import { clearSession, noteSecondFactorNeeded, readHome, readSession } from './session.ts';
import { toast } from './toasts.ts';
import { readWithin } from './too-long.ts';
import { goToTenant } from './visit.ts';

/** How long an answer may take before we stop waiting (C10). */
const patience = 30_000;

/**
 * A call that did not succeed. `status` is 0 when no answer came. `message` is the server's own words where there
 * are any, `fields` names the inputs at fault, and `traceId` finds the call in the server's log.
 */
export class ApiError extends Error {
  readonly status: number;
  readonly error: string;
  readonly fields: Record<string, string>;
  readonly traceId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    status: number,
    error: string,
    message: string,
    more: {
      fields?: Record<string, string>;
      traceId?: string | undefined;
      retryAfterSeconds?: number | undefined;
    } = {},
  ) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.error = error;
    this.fields = more.fields ?? {};
    this.traceId = more.traceId;
    this.retryAfterSeconds = more.retryAfterSeconds;
  }

  /** Whether somebody on the other side wrote `message`; otherwise a screen's own words say more. */
  get isFromServer(): boolean {
    return this.status !== 0 && this.error !== 'answer.unreadable';
  }
}

/** Headers that say who calls. Whatever does not go through `send` (XMLHttpRequest, image loaders) needs them too. */
export const requestHeaders = (): Record<string, string> => {
  const session = readSession();
  return session ? { authorization: `Bearer ${session.token}`, 'x-tenantid': session.tenant.subdomain } : {};
};

/** Reads a refusal; a 401 for the token in use also signs out. `text` is the answer's body. */
export const refusal = (status: number, text: string, header: (name: string) => string | null, token?: string) => {
  const told = failure.safeParse(parsed(text));
  if (status === 401 && token !== undefined && token === readSession()?.token) clearSession(told.data?.error);
  const retryAfterSeconds = Number(header('retry-after')) || undefined;
  if (!told.success) {
    return new ApiError(status, 'answer.unreadable', `The server answered with status ${status}`, {
      retryAfterSeconds,
    });
  }
  const { error, message, errors = [], traceId } = told.data;
  // The organisation has decided so since: the page leads to where it is set up.
  if (error === secondFactorMissing) noteSecondFactorNeeded();
  // The organisation that this tab visits was suspended.
  if (error === 'tenant.closed') leaveVisit();
  const fields = Object.fromEntries(errors.map(({ field, message: words }) => [field, words]));
  return new ApiError(status, error, message, { fields, traceId, retryAfterSeconds });
};

let isLeaving = false;

const leaveVisit = () => {
  const session = readSession();
  if (!session || !readHome() || isLeaving) return;
  isLeaving = true;
  goToTenant(session, undefined);
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

type Request = {
  method?: string;
  body?: BodyInit;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
  timeout?: number;
  /** Whether it is sent although the page is being left, where a browser takes a body of its size. */
  keepalive?: boolean;
  /** Whether it is sent as nobody: a link is opened by whoever holds it, and a wrong code ends nobody's session. */
  isAnonymous?: boolean;
  /** Whom the server lets in; not given: only somebody. */
  can?: Access;
};

/** Bytes that a browser still sends for a page that is gone: 64 KiB with the calls that are on their way (Fetch standard). */
const outlivingBytes = 60_000;

const outlives = (body: BodyInit | undefined): boolean =>
  body === undefined || (typeof body === 'string' && new Blob([body]).size < outlivingBytes);

/** Sends a request as the person signed in and answers only if it succeeded; `path` is relative to the origin. */
const send = async (path: string, request: Request) => {
  const { method = 'GET', body, signal, timeout = patience, keepalive, isAnonymous = false, can } = request;
  const token = isAnonymous ? undefined : readSession()?.token;
  const headers = { ...(!isAnonymous && requestHeaders()), ...request.headers };
  // A page that goes asks once more when the session ends: as nobody, to be refused.
  if (can !== 'public' && !isAnonymous && !('authorization' in headers)) {
    throw new ApiError(401, 'session.missing', 'You are not signed in. Sign in, and try again.');
  }
  const deadline = AbortSignal.timeout(timeout);
  const response = await fetch(path, {
    method,
    headers,
    signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    ...(body !== undefined && { body }),
    ...(keepalive && outlives(body) && { keepalive }),
  }).catch((cause: unknown) => {
    throw silence(cause, signal, deadline, timeout);
  });
  noteAnswer();
  if (response.ok) return response;
  throw refusal(response.status, await response.text(), (name) => response.headers.get(name), token);
};

const silence = (cause: unknown, signal: AbortSignal | undefined, deadline: AbortSignal, timeout: number) => {
  // Whoever asked has lost interest; that is no failure, and the query library expects the original error.
  if (signal?.aborted) return cause;
  noteSilence();
  return deadline.aborted
    ? new ApiError(0, 'answer.late', `The server did not answer within ${Math.round(timeout / 1000)} seconds`)
    : new ApiError(0, 'answer.missing', 'No response received from server');
};

type Input = {
  params?: Record<string, string>;
  query?: Record<string, string | number | boolean | undefined>;
  body?: unknown;
};

export const pathOf = (path: string, { params = {}, query: asked = {} }: Input): string => {
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const pairs = Object.entries(asked).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  return pairs.length > 0 ? `${filled}?${new URLSearchParams(pairs)}` : filled;
};

type CallOptions = Pick<Request, 'headers' | 'timeout' | 'keepalive' | 'isAnonymous'> & { signal?: AbortSignal };

/** Makes one call of the contract and returns its data. Throws ApiError. */
export const call = async <E extends Endpoint>(
  endpoint: E,
  input: Call<E>,
  { headers, ...options }: CallOptions = {},
): Promise<Reply<E>> => {
  const given = input as Input;
  const hasBody = given.body !== undefined;
  const response = await send(`/api${pathOf(endpoint.path, given)}`, {
    ...options,
    method: endpoint.method,
    can: endpoint.can,
    headers: { accept: 'application/json', ...(hasBody && { 'content-type': 'application/json' }), ...headers },
    ...(hasBody && { body: JSON.stringify(given.body) }),
  });
  const reply = parsed(await response.text());
  if (!isEnvelope(reply)) {
    throw new ApiError(response.status, 'answer.unreadable', 'The answer of the server could not be read');
  }
  // The server parsed the data by the endpoint's own schema before sending it.
  return reply.data as Reply<E>;
};

const isEnvelope = (reply: unknown): reply is { code: number; data?: unknown } =>
  typeof reply === 'object' && reply !== null && 'code' in reply && reply.code === 200;

/** The first part of an endpoint's path: what has to be fetched again when something about that noun changes. */
const noun = ({ path }: { path: string }): string => path.split('/')[1] ?? '';

/** Says that nobody has asked: such a call does not keep anybody signed in. */
export const unasked = { 'x-poll': '1' };

/**
 * Query options for a call. The key is the call itself, so nobody writes keys by hand. Changes made by others have a
 * page ask again whether or not anybody is at it; that alone keeps nobody signed in.
 */
export const query = <E extends Endpoint>(endpoint: E, input: Call<E>) =>
  queryOptions({
    queryKey: [noun(endpoint), endpoint.path, input],
    queryFn: ({ signal }) => call(endpoint, input, { signal, ...(!isAttended() && { headers: unasked }) }),
  });

/** Like `query`, for what a screen asks again and again by itself: that does not keep anybody signed in. */
export const pollingQuery = <E extends Endpoint>(endpoint: E, input: Call<E>) =>
  queryOptions({
    ...query(endpoint, input),
    queryFn: ({ signal }) => call(endpoint, input, { signal, headers: unasked }),
  });

/** The words for a failed call: the server's where it said something, else the screen's own. */
export const wordsFor = (error: unknown, fallback: string): string =>
  error instanceof ApiError && error.isFromServer ? error.message : fallback;

type Says<E extends Endpoint> = {
  done?: string;
  failed: string | ((input: Call<E>) => string);
  /** Nouns whose queries are stale afterwards; by default that of the endpoint. */
  refreshes?: string[];
};

/** A mutation that says what happened and refreshes what is shown about the same noun. */
export const useAction = <E extends Endpoint>(endpoint: E, { done, failed, refreshes }: Says<E>) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: Call<E>) => call(endpoint, input),
    onSuccess: () => {
      if (done) toast.success(done);
      const nouns = refreshes ?? [noun(endpoint)];
      return Promise.all(nouns.map((name) => client.invalidateQueries({ queryKey: [name] })));
    },
    onError: (error, input) => {
      toast.failure(wordsFor(error, typeof failed === 'string' ? failed : failed(input)));
    },
  });
};

type StreamOptions = Omit<Request, 'method' | 'headers' | 'can'> & { accept?: string; params?: Record<string, string> };

/** Makes a byte-stream call under one of its prefixes ("/api/wado-rs", "/dicom-web") and returns the raw answer. Throws ApiError. */
export const callStream = (
  prefix: string,
  { method, path, can }: StreamEndpoint,
  { accept, params = {}, ...request }: StreamOptions = {},
): Promise<Response> =>
  send(`${prefix}${pathOf(path, { params })}`, {
    ...request,
    method,
    can,
    headers: {
      ...(accept && { accept }),
      ...(typeof request.body === 'string' && { 'content-type': 'application/json' }),
    },
  });

type BytesOptions = StreamOptions & { /** How many bytes are read; not given: all. */ most?: number };

/**
 * Fetches a picture or a file that only a signed-in person may see; an img element cannot send a token. Throws ApiError,
 * or TooLong for what has more than `most` bytes.
 */
export const fetchBytes = async (path: string, { accept, most, ...request }: BytesOptions = {}): Promise<Blob> => {
  const response = await send(path, { ...request, ...(accept && { headers: { accept } }) });
  return most === undefined ? response.blob() : readWithin(response, most);
};
