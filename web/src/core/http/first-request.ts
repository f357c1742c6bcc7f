/**
 * Request of the page. `at` is when it was sent, in milliseconds since the page began to load. `unused` frees its
 * connection.
 */
type FirstRequest = {
  path: string;
  headers: Record<string, string>;
  at: number;
  response: Promise<Response>;
  unused: AbortController;
};

const propertyName = 'firstRequests';

/** Age in milliseconds after which the response may be out of date. */
const freshFor = 15_000;

const areEqual = (one: Record<string, string>, other: Record<string, string>): boolean =>
  Object.keys(one).length === Object.keys(other).length &&
  Object.entries(one).every(([name, value]) => other[name] === value);

const afterAbort = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const stop = () => reject(signal.reason instanceof Error ? signal.reason : new Error('The call was aborted'));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });

/**
 * Returns the response to a request that the page sent before the application loaded (public/assets/first-request.js),
 * once. Undefined unless a GET has the same path and headers, which name the same user and organization. Rejects when
 * the signal aborts, or without a response.
 */
export const takeFirstRequest = (
  path: string,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<Response> | undefined => {
  const requests = Reflect.get(globalThis, propertyName) as FirstRequest[] | undefined;
  const at = requests?.findIndex((request) => request.path === path) ?? -1;
  const [first] = at < 0 ? [] : (requests?.splice(at, 1) ?? []);
  if (!first) return undefined;
  if (performance.now() - first.at > freshFor || !areEqual(first.headers, headers)) {
    first.unused.abort();
    return undefined;
  }
  signal.addEventListener('abort', () => first.unused.abort(), { once: true });
  return Promise.race([first.response, afterAbort(signal)]);
};
