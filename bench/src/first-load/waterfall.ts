import type { BrowserContext, Page } from '@playwright/test';

/** One request of a page. Times in milliseconds since the page began to load. `code` is the script that sent it. */
export type Sent = { name: string; start: number; end: number; bytes: number; code: string };

/** A request with the request whose end it followed; undefined if it waited for none. */
export type Waited = Sent & { after: Sent | undefined };

/** Longest time in milliseconds between the end of a request and a request that its response caused. */
const reaction = 25;

/** Time in milliseconds without a request after which a screen counts as loaded. */
const quiet = 700;

const nameOf = (url: string): string => {
  const { pathname, search } = new URL(url);
  return decodeURIComponent(pathname + search.slice(0, 60)).replace(/-[\w-]{8}(?=\.(?:js|css|woff2)$)/, '');
};

/** Opens an address in a browser with an empty cache and returns its requests in the order of their start. */
export const requestsOf = async (context: BrowserContext, address: string, shown: string): Promise<Sent[]> => {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  const sent = new Map<string, Sent>();
  let began: number | undefined;
  session.on('Network.requestWillBeSent', ({ requestId, request, timestamp, initiator }) => {
    if (!request.url.startsWith('http') || request.url.endsWith('/live')) return;
    began ??= timestamp;
    const code = initiator.stack?.callFrames[0]?.url ?? initiator.url;
    sent.set(requestId, {
      name: nameOf(request.url),
      start: (timestamp - began) * 1000,
      end: Number.NaN,
      bytes: 0,
      code: code?.startsWith('http') ? nameOf(code) : '',
    });
  });
  session.on('Network.loadingFinished', ({ requestId, timestamp, encodedDataLength }) => {
    const request = sent.get(requestId);
    if (request && began !== undefined) {
      Object.assign(request, { end: (timestamp - began) * 1000, bytes: encodedDataLength });
    }
  });
  await page.goto(address, { waitUntil: 'commit' });
  await page.locator(shown).first().waitFor({ timeout: 120_000 });
  const untilShown = [...sent.values()];
  await settle(page);
  await page.close();
  return untilShown.toSorted((one, other) => one.start - other.start);
};

/** Waits until requests that began before the screen appeared have ended. */
const settle = (page: Page): Promise<void> => page.waitForTimeout(quiet);

/**
 * Returns for each request the last request that ended just before it began. Requests that begin together wait for the
 * same one. Two requests without any relation may also follow each other by chance, so run it more than once.
 */
export const withWaits = (requests: readonly Sent[]): Waited[] =>
  requests.map((request) => {
    const before = requests.filter(({ end }) => end <= request.start && request.start - end < reaction);
    return { ...request, after: before.toSorted((one, other) => one.end - other.end).at(-1) };
  });

/** Returns the longest chain of requests that wait for each other, the first one first. */
export const longestChain = (requests: readonly Waited[]): Waited[] => {
  const byName = new Map(requests.map((request) => [request.name, request]));
  const chainOf = (request: Waited): Waited[] => {
    const before = request.after && byName.get(request.after.name);
    return before && before.start < request.start ? [...chainOf(before), request] : [request];
  };
  const chains = requests.map(chainOf).toSorted((one, other) => other.length - one.length);
  return chains[0] ?? [];
};
