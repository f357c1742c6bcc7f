import type { Outgoing } from './outgoing.ts';

/** Far above what a report has room for with all that protocols wrap around each word, or a provider's keys. */
const largestAnswer = 2 << 20;

type Tenant = { id: number; subdomain: string };

/** What of a call to the standard's fetch is taken; redirects are never followed, whatever it says of them. */
type Options = {
  method?: string;
  headers?: RequestInit['headers'];
  body?: unknown;
  signal?: AbortSignal | null;
};
type Fetch = (input: string | URL | Request, options?: Options) => Promise<Response>;

/**
 * The one way out, in the form in which client libraries want it. What they ask for is judged like everything that
 * goes out, redirects are refused, and an answer that grows too large ends.
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
    // A status without a body allows none (Fetch standard, null body status).
    if (status === 204 || status === 205) {
      answer.discard();
      return new Response(null, { status });
    }
    return new Response(streamOf(answer.body), { status, headers: answer.headers });
  };

/** A body as the Fetch standard has it. Whoever stops reading it closes the connection. */
const streamOf = (body: AsyncIterable<Buffer>): ReadableStream<Uint8Array> => {
  const pieces = body[Symbol.asyncIterator]();
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(new Uint8Array(value));
    },
    cancel: async () => {
      await pieces.return?.();
    },
  });
};
