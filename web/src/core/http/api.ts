import { t } from '@lingui/core/macro';
import type { Access } from '@radwork/contract/core/access';
import { secondFactorMissing } from '@radwork/contract/identity/accounts';
import { prefetchHeaders } from './prefetch.ts';
import type { Call, Endpoint, Reply, StreamEndpoint } from '@radwork/contract/core/endpoint';
import { failure } from '@radwork/contract/core/failure';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { hasRecentInput } from '#core/state/attention.ts';
import { noteAnswer, noteSilence } from './connection.ts';
import { takeFirstRequest } from './first-request.ts';
import { clearSession, noteSecondFactorNeeded, readHome, readSession } from '#core/state/session.ts';
import { toast } from '#core/browser/toasts.ts';
import { readWithin } from './size-limit.ts';
import { goToTenant } from '#core/state/tenant-visit.ts';

/** Time-out for a response, in milliseconds. */
const patience = 30_000;

/**
 * Error of a failed call. `status` is 0 without a response. `message` comes from the server if possible. `fields` has
 * messages by invalid field. `traceId` finds the call in the server log.
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

  /** Whether the server wrote `message`. If not, the screen shows its own message. */
  get isFromServer(): boolean {
    return this.status !== 0 && this.error !== 'answer.unreadable';
  }
}

/**
 * Returns the headers that identify the caller. Requests that do not use `send` (XMLHttpRequest, image loaders) need
 * them too.
 */
export const requestHeaders = (): Record<string, string> => {
  const session = readSession();
  return session ? { authorization: `Bearer ${session.token}`, 'x-tenantid': session.tenant.subdomain } : {};
};

/** Converts an error response to an error. `text` is the response body. A 401 for the token in use also signs out. */
export const readError = (status: number, text: string, header: (name: string) => string | null, token?: string) => {
  const failureBody = failure.safeParse(parsed(text));
  if (status === 401 && token !== undefined && token === readSession()?.token) clearSession(failureBody.data?.error);
  const retryAfterSeconds = Number(header('retry-after')) || undefined;
  if (!failureBody.success) {
    return new ApiError(status, 'answer.unreadable', t`The server answered with status ${status}`, {
      retryAfterSeconds,
    });
  }
  const { error, message, errors = [], traceId } = failureBody.data;
  // The organization now requires a second factor, so the page must open its setup.
  if (error === secondFactorMissing) noteSecondFactorNeeded();
  // The organization that this tab visits was suspended, so the visit ends.
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
  /** Whether to send the call even while the page unloads. Works only for a small body. */
  keepalive?: boolean;
  /** Whether to send no credentials. Share links need none, and a wrong passcode must not end a session. */
  isAnonymous?: boolean;
  /** Permission needed for the call. Default: any signed-in user. */
  can?: Access;
};

/**
 * Largest body that may be sent after the page is gone, in bytes. Browsers allow 64 KiB for all such calls together
 * (Fetch standard).
 */
const outlivingBytes = 60_000;

const outlives = (body: BodyInit | undefined): boolean =>
  body === undefined || (typeof body === 'string' && new Blob([body]).size < outlivingBytes);

/** Sends a request as the signed-in user. Rejects unless it succeeds. `path` is relative to the origin. */
const send = async (path: string, request: Request) => {
  const { method = 'GET', body, signal, timeout = patience, keepalive, isAnonymous = false, can } = request;
  const token = isAnonymous ? undefined : readSession()?.token;
  const headers = { ...(!isAnonymous && requestHeaders()), ...request.headers };
  // Without a session, does not send the call, because the server would refuse it. A closing page may still make such
  // calls after the session has ended.
  if (can !== 'public' && !isAnonymous && !('authorization' in headers)) {
    throw new ApiError(401, 'session.missing', t`You are not signed in. Sign in and try again.`);
  }
  const deadline = AbortSignal.timeout(timeout);
  const either = signal ? AbortSignal.any([signal, deadline]) : deadline;
  const early = method === 'GET' ? takeFirstRequest(path, headers, either) : undefined;
  const sent =
    early ??
    fetch(path, {
      method,
      headers,
      signal: either,
      ...(body !== undefined && { body }),
      ...(keepalive && outlives(body) && { keepalive }),
    });
  const response = await sent.catch((cause: unknown) => {
    throw silence(cause, signal, deadline, timeout);
  });
  noteAnswer();
  if (response.ok) return response;
  throw readError(response.status, await response.text(), (name) => response.headers.get(name), token);
};

const silence = (cause: unknown, signal: AbortSignal | undefined, deadline: AbortSignal, timeout: number) => {
  // Returns the original error after an abort by the caller, because the query library expects it.
  if (signal?.aborted) return cause;
  noteSilence();
  const seconds = Math.round(timeout / 1000);
  return deadline.aborted
    ? new ApiError(0, 'answer.late', t`The server did not respond within ${seconds} seconds`)
    : new ApiError(0, 'answer.missing', t`No response received from server`);
};

type Input = {
  params?: Record<string, string>;
  query?: Record<string, string | number | boolean | undefined>;
  body?: unknown;
};

export const pathOf = (path: string, { params = {}, query: queryParams = {} }: Input): string => {
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const pairs = Object.entries(queryParams).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  return pairs.length > 0 ? `${filled}?${new URLSearchParams(pairs)}` : filled;
};

type CallOptions = Pick<Request, 'headers' | 'timeout' | 'keepalive' | 'isAnonymous'> & { signal?: AbortSignal };

/** Calls an endpoint of the contract and returns its data. Throws ApiError. */
export const call = async <E extends Endpoint>(
  endpoint: E,
  input: Call<E>,
  { headers, ...options }: CallOptions = {},
): Promise<Reply<E>> => {
  const callInput = input as Input;
  const hasBody = callInput.body !== undefined;
  const response = await send(`/api${pathOf(endpoint.path, callInput)}`, {
    ...options,
    method: endpoint.method,
    can: endpoint.can,
    headers: { accept: 'application/json', ...(hasBody && { 'content-type': 'application/json' }), ...headers },
    ...(hasBody && { body: JSON.stringify(callInput.body) }),
  });
  const reply = parsed(await response.text());
  if (!isEnvelope(reply)) {
    throw new ApiError(response.status, 'answer.unreadable', t`Could not read the server response`);
  }
  // The data is not parsed again, because the server has parsed it with the schema of the endpoint.
  return reply.data as Reply<E>;
};

const isEnvelope = (reply: unknown): reply is { code: number; data?: unknown } =>
  typeof reply === 'object' && reply !== null && 'code' in reply && reply.code === 200;

/** Returns the first part of the path of an endpoint, its noun. A change refetches all queries with the same noun. */
const noun = ({ path }: { path: string }): string => path.split('/')[1] ?? '';

/** Header that marks a call as not requested by the user, so that the call does not extend the session. */
export const backgroundHeaders = { 'x-poll': '1' };

/** Query options for a call. Endpoint and input form the key. A refetch on an unattended page does not extend the session. */
export const query = <E extends Endpoint>(endpoint: E, input: Call<E>) =>
  queryOptions({
    queryKey: [noun(endpoint), endpoint.path, input],
    queryFn: ({ signal, meta }) => {
      const headers = { ...(!hasRecentInput() && backgroundHeaders), ...prefetchHeaders(meta) };
      return call(endpoint, input, { signal, headers });
    },
  });

/** Like `query`, for polling. Polling does not extend the session. */
export const pollingQuery = <E extends Endpoint>(endpoint: E, input: Call<E>) =>
  queryOptions({
    ...query(endpoint, input),
    queryFn: ({ signal }) => call(endpoint, input, { signal, headers: backgroundHeaders }),
  });

/** Returns the message of a failed call: that of the server, or else `fallback`. */
export const errorMessageOf = (error: unknown, fallback: string): string =>
  error instanceof ApiError && error.isFromServer ? error.message : fallback;

type ActionMessages<E extends Endpoint> = {
  done?: string;
  failed: string | ((input: Call<E>) => string);
  /** Nouns whose queries must be refetched. Default: the noun of the endpoint. */
  refreshes?: string[];
  /** Called after success. Unlike the callback of `mutate`, it is called even if the refetch removes the component. */
  afterwards?: (() => void) | undefined;
};

/** Mutation that shows success or failure and refetches the queries of the same noun. */
export const useAction = <E extends Endpoint>(
  endpoint: E,
  { done, failed, refreshes, afterwards }: ActionMessages<E>,
) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: Call<E>) => call(endpoint, input),
    onSuccess: () => {
      if (done) toast.success(done);
      afterwards?.();
      const nouns = refreshes ?? [noun(endpoint)];
      return Promise.all(nouns.map((name) => client.invalidateQueries({ queryKey: [name] })));
    },
    onError: (error, input) => {
      toast.failure(errorMessageOf(error, typeof failed === 'string' ? failed : failed(input)));
    },
  });
};

type StreamOptions = Omit<Request, 'method' | 'headers' | 'can'> & {
  accept?: string;
  params?: Record<string, string>;
  query?: Record<string, string>;
  /** Further headers of the request. */
  headers?: Record<string, string>;
};

/**
 * Calls a stream endpoint below a path prefix ("/api/wado-rs", "/dicom-web"). Returns the response without reading its
 * body. Throws ApiError.
 */
export const callStream = (
  prefix: string,
  { method, path, can }: Pick<StreamEndpoint, 'method' | 'path' | 'can'>,
  { accept, params = {}, query: queryParams = {}, headers, ...request }: StreamOptions = {},
): Promise<Response> =>
  send(`${prefix}${pathOf(path, { params, query: queryParams })}`, {
    ...request,
    method,
    can,
    headers: {
      ...headers,
      ...(accept && { accept }),
      ...(typeof request.body === 'string' && { 'content-type': 'application/json' }),
    },
  });

type BytesOptions = Omit<StreamOptions, 'headers'> & {
  /** Size of the largest accepted response in bytes. Default: no limit. */ most?: number;
};

/**
 * Fetches an image or file that requires a session, because an img element cannot send a token. Throws ApiError, or
 * SizeLimitError above `most` bytes.
 */
export const fetchBytes = async (path: string, { accept, most, ...request }: BytesOptions = {}): Promise<Blob> => {
  const response = await send(path, { ...request, ...(accept && { headers: { accept } }) });
  return most === undefined ? response.blob() : readWithin(response, most);
};
