import type { Outgoing } from './open-outgoing.ts';

/** Maximum number of bytes. This is far more than a message with a report, or the keys of a provider. */
const largestAnswer = 2 << 20;

type Tenant = { id: number; subdomain: string };

/** The supported options of the standard fetch. Redirects are not followed. */
type Options = {
  method?: string;
  headers?: RequestInit['headers'];
  body?: unknown;
  signal?: AbortSignal | null;
};
type Fetch = (input: string | URL | Request, options?: Options) => Promise<Response>;

/**
 * The guarded client as a fetch function for client libraries. Checks every call, refuses redirects, and breaks off a
 * response above the limit.
 */
export const outgoingFetch =
  (outgoing: Outgoing, tenant: Tenant, { mayThink = true } = {}): Fetch =>
  async (input, { method, headers, body, signal } = {}) => {
    const url = input instanceof Request ? input.url : String(input);
    const answer = await outgoing.fetch(tenant, url, {
      method: method === 'POST' ? 'POST' : 'GET',
      headers: Object.fromEntries(new Headers(headers)),
      ...((typeof body === 'string' || body instanceof URLSearchParams) && { body: String(body) }),
      signal: signal ?? new AbortController().signal,
      mostBytes: largestAnswer,
      mayThink,
    });
    const { status } = answer;
    // These statuses must not have a body (Fetch standard, null body status).
    if (status === 204 || status === 205) {
      answer.discard();
      return new Response(null, { status });
    }
    return new Response(streamOf(answer.body), { status, headers: answer.headers });
  };

/** Converts a body to a web stream. When the stream is canceled, the connection closes. */
const streamOf = (body: AsyncIterable<Buffer>): ReadableStream<Uint8Array> => {
  const iterator = body[Symbol.asyncIterator]();
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(new Uint8Array(value));
    },
    cancel: async () => {
      await iterator.return?.();
    },
  });
};
