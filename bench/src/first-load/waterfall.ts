import type { BrowserContext } from '@playwright/test';

/** One request of a page. Times in milliseconds since the page began to load. `code` is the script that sent it. */
export type Sent = { name: string; start: number; end: number; bytes: number; code: string };

const nameOf = (url: string): string => {
  const { pathname, search } = new URL(url);
  return decodeURIComponent(pathname + search.slice(0, 60)).replace(/-[\w-]{8}(?=\.(?:js|css|woff2)$)/, '');
};

/**
 * Opens an address in a browser with an empty cache. Returns its requests until the element `shown` appears, in the order of
 * their start, and the time in milliseconds until then.
 */
export const requestsOf = async (
  context: BrowserContext,
  address: string,
  shown: string,
): Promise<{ requests: Sent[]; shownAfter: number }> => {
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
  let onEnd = () => {};
  const end = (requestId: string, timestamp: number, bytes: number) => {
    const request = sent.get(requestId);
    if (request && began !== undefined) Object.assign(request, { end: (timestamp - began) * 1000, bytes });
    onEnd();
  };
  session.on('Network.loadingFinished', ({ requestId, timestamp, encodedDataLength }) =>
    end(requestId, timestamp, encodedDataLength),
  );
  session.on('Network.loadingFailed', ({ requestId, timestamp }) => end(requestId, timestamp, 0));
  const opened = performance.now();
  await page.goto(address, { waitUntil: 'commit' });
  await page.locator(shown).first().waitFor({ timeout: 120_000 });
  const shownAfter = performance.now() - opened;
  const untilShown = [...sent.values()];
  // Their ends are known only later.
  await new Promise<void>((resolve) => {
    onEnd = () => {
      if (untilShown.every(({ end: time }) => !Number.isNaN(time))) resolve();
    };
    onEnd();
  });
  await page.close();
  return { requests: untilShown.toSorted((first, second) => first.start - second.start), shownAfter };
};
