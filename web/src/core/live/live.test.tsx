import { live, type LiveEvent } from '@radwork/contract/identity/live';
import type { SignedIn } from '@radwork/contract/identity/sessions';
import { studies } from '@radwork/contract/imaging/studies';
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { renderHook } from '@testing-library/react';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { eventually } from '#test/eventually.ts';
import { signIn } from '#test/screen.tsx';
import { query } from '#core/http/api.ts';
import { followLive, useIsLive, usePollInterval } from './live.ts';
import { clearSession, may, readSession } from '#core/state/session.ts';

/** Server whose event stream the test writes and breaks. Its lists contain the study "shown". */
const serve = (server: Pick<SignedIn, 'roles'> = { roles: readSession()?.roles ?? [] }) => {
  const streams: { send: (event: LiveEvent) => void; end: () => void; signal: AbortSignal }[] = [];
  const requestedPaths: string[] = [];
  const encoder = new TextEncoder();
  vi.stubGlobal('fetch', async (path: string, { signal }: { signal: AbortSignal }) => {
    if (path === '/api/auth/validate')
      return Response.json({ code: 200, data: { ...readSession(), roles: server.roles } });
    if (path !== live.path) {
      requestedPaths.push(path);
      const data = path === '/api/studies' ? { content: [{ id: 'shown' }] } : { id: 'other' };
      return Response.json({ code: 200, data });
    }
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        signal.addEventListener('abort', () => controller.error(signal.reason));
        streams.push({
          signal,
          send: (event) => controller.enqueue(encoder.encode(`:\n\ndata: ${JSON.stringify(event)}\n\n`)),
          end: () => controller.close(),
        });
      },
    });
    return new Response(body);
  });
  const stream = (count: number) =>
    eventually(() => {
      const opened = streams[count - 1];
      if (!opened) throw new Error(`Opened ${streams.length} of ${count}`);
      return opened;
    });
  return { asked: requestedPaths, streams, stream };
};

/** Opens a page with the list of studies and one study, and follows live changes. */
const open = async () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  const { unmount } = renderHook(
    () => [useQuery(query(studies.list, { query: {} })), useQuery(query(studies.get, { params: { id: 'other' } }))],
    { wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider> },
  );
  await eventually(() => expect(client.isFetching()).toBe(0));
  const stop = followLive(client);
  onTestFinished(() => {
    stop();
    unmount();
    client.clear();
  });
  return client;
};

const look = (visibility: DocumentVisibilityState) => {
  Object.defineProperty(document, 'visibilityState', { configurable: true, value: visibility });
  document.dispatchEvent(new Event('visibilitychange'));
};
afterEach(() => look('visible'));

const times = (paths: readonly string[], path: string) => paths.filter((one) => one === path).length;

test('a change refetches only the queries that show it', async () => {
  signIn();
  const { asked: requestedPaths, stream } = serve();
  await open();

  (await stream(1)).send({ kind: 'study', studyId: 'shown' });
  await eventually(() => expect(times(requestedPaths, '/api/studies')).toBe(2));

  expect(times(requestedPaths, '/api/studies/other')).toBe(1);
});

test('many changes at the same time refetch each query once', async () => {
  signIn();
  const { asked: requestedPaths, stream } = serve();
  await open();
  const { send } = await stream(1);

  for (let count = 0; count < 50; count += 1) send({ kind: 'study', studyId: count % 2 ? 'shown' : 'other' });
  await eventually(() => expect(times(requestedPaths, '/api/studies')).toBe(2));

  expect(times(requestedPaths, '/api/studies/other')).toBe(2);
});

test('a study that is not in the list yet refetches the list', async () => {
  signIn();
  const { asked: requestedPaths, stream } = serve();
  await open();

  (await stream(1)).send({ kind: 'study', studyId: 'new' });
  await eventually(() => expect(times(requestedPaths, '/api/studies')).toBe(2));

  expect(times(requestedPaths, '/api/studies/other')).toBe(1);
});

test('without the event stream, polls run as specified; with it, they run rarely; in a hidden tab, they never run', async () => {
  signIn();
  const { stream } = serve();
  const { result } = renderHook(() => ({ isLive: useIsLive(), interval: usePollInterval(10_000) }));
  const before = result.current;
  await open();
  const { end } = await stream(1);
  await eventually(() => expect(result.current.isLive).toBe(true));
  const whileLive = result.current;

  end();
  await eventually(() => expect(result.current.isLive).toBe(false));
  const afterwards = result.current;
  look('hidden');

  expect(before).toEqual({ isLive: false, interval: 10_000 });
  expect(whileLive.interval).toBe(60_000);
  expect(afterwards.interval).toBe(10_000);
  await eventually(() => expect(result.current.interval).toBe(false));
});

test('a broken event stream opens again, and all visible queries are refetched once', async () => {
  signIn();
  const { asked: requestedPaths, stream } = serve();
  await open();

  (await stream(1)).end();
  window.dispatchEvent(new Event('online'));
  await stream(2);
  await eventually(() => expect(times(requestedPaths, '/api/studies/other')).toBe(2));

  expect(times(requestedPaths, '/api/studies')).toBe(2);
});

test('changed rights apply without a new sign-in once the event stream opens again', async () => {
  const { roles } = signIn();
  const server = { roles };
  const { stream } = serve(server);
  await open();
  const before = [may(studies.list), may(studies.remove)];

  server.roles = [{ name: 'Archivist', permissions: [{ name: 'study.delete' }] }];
  (await stream(1)).end();
  window.dispatchEvent(new Event('online'));
  await stream(2);

  await eventually(() => expect([may(studies.list), may(studies.remove)]).toEqual([false, true]));
  expect(before).toEqual([true, false]);
});

test('signing out closes the event stream', async () => {
  signIn();
  const { stream } = serve();
  await open();
  const { signal } = await stream(1);

  clearSession();

  expect(signal.aborted).toBe(true);
});

test('a session that the server ended ends in the browser, and the event stream closes', async () => {
  signIn();
  const requestedPaths: string[] = [];
  vi.stubGlobal('fetch', async (path: string) => {
    requestedPaths.push(path);
    return path === live.path
      ? Response.json({ code: 401, error: 'session.missing', message: 'x', traceId: 't' }, { status: 401 })
      : Response.json({ code: 200, data: {} });
  });
  await open();

  await eventually(() => expect(readSession()).toBeUndefined());

  expect(times(requestedPaths, live.path)).toBe(1);
});

test('a hidden page marks changed queries as outdated, and refetches them when visible', async () => {
  signIn();
  const { asked: requestedPaths, stream } = serve();
  Object.defineProperty(navigator, 'locks', {
    configurable: true,
    value: { request: (_: string, __: object, callback: () => unknown) => callback() },
  });
  onTestFinished(() => {
    Reflect.deleteProperty(navigator, 'locks');
  });
  const client = await open();
  const { send } = await stream(1);
  look('hidden');

  send({ kind: 'study', studyId: 'shown' });
  const key = query(studies.list, { query: {} }).queryKey;
  await eventually(() => expect(client.getQueryState(key)?.isInvalidated).toBe(true));
  const whileHidden = times(requestedPaths, '/api/studies');
  look('visible');

  expect(whileHidden).toBe(1);
  await eventually(() => expect(times(requestedPaths, '/api/studies')).toBe(2));
});
