import { live, type LiveEvent, liveEvent, silentAtMost } from '@radwork/contract/identity/live';
import { ApiError, readError, requestHeaders } from '#core/http/api.ts';
import { noteAnswer, noteSilence } from '#core/http/connection.ts';
import { readSession } from '#core/state/session.ts';

type Listening = {
  /** Called when the stream opens or closes. */
  onChange: (isOpen: boolean) => void;
  onEvent: (event: LiveEvent) => void;
};

const firstPause = 1000;
const longestPause = 60_000;
/** Time in milliseconds after which an open stream counts as successful. */
const provenAfter = 30_000;

/**
 * Keeps the event stream of the signed-in user open. Reconnects after random pauses that grow, and at once when the
 * network or the user returns. Resolves on abort, at the end of the session, or if the server has no events for this
 * user.
 */
export const openLiveStream = async (listening: Listening, signal: AbortSignal): Promise<void> => {
  let failures = 0;
  while (!signal.aborted && readSession()) {
    const began = Date.now();
    let retryAfter = 0;
    try {
      if (await listenOnce(listening, signal)) return;
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return;
      if (error instanceof ApiError) retryAfter = (error.retryAfterSeconds ?? 0) * 1000;
    } finally {
      listening.onChange(false);
    }
    failures = Date.now() - began > provenAfter ? 0 : failures + 1;
    await pause(Math.max(retryAfter, pauseAfter(failures)), signal);
  }
};

const pauseAfter = (failures: number): number =>
  Math.min(firstPause * 2 ** (failures - 1), longestPause) * (0.5 + Math.random() / 2);

/** Waits for the given time, or until the network returns or the page becomes visible, whichever is first. */
const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const over = new AbortController();
    const end = () => {
      clearTimeout(timer);
      over.abort();
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    const endWhenSeen = () => {
      if (document.visibilityState === 'visible') end();
    };
    window.addEventListener('online', end, { signal: over.signal });
    document.addEventListener('visibilitychange', endWhenSeen, { signal: over.signal });
    signal.addEventListener('abort', end, { signal: over.signal });
  });

/**
 * Listens until the stream breaks. Resolves to true if the server has no events for this user. Throws fetch errors and
 * ApiError.
 */
const listenOnce = async ({ onChange, onEvent }: Listening, signal: AbortSignal): Promise<boolean> => {
  const token = readSession()?.token;
  const silence = new AbortController();
  let watch = setTimeout(() => silence.abort(), silentAtMost);
  const resetWatch = () => {
    clearTimeout(watch);
    watch = setTimeout(() => silence.abort(), silentAtMost);
  };
  try {
    const response = await fetch(live.path, {
      headers: { ...requestHeaders(), accept: 'text/event-stream', 'x-poll': '1' },
      signal: AbortSignal.any([signal, silence.signal]),
    }).catch((cause: unknown) => {
      if (!signal.aborted) noteSilence();
      throw cause;
    });
    noteAnswer();
    if (response.status === 204) return true;
    if (!response.ok) {
      throw readError(response.status, await response.text(), (name) => response.headers.get(name), token);
    }
    onChange(true);
    await readEvents(response, onEvent, resetWatch);
    return false;
  } finally {
    clearTimeout(watch);
  }
};

/** Reads events until the stream ends. Comments in the stream only show that it is alive. */
const readEvents = async (response: Response, onEvent: (event: LiveEvent) => void, onHeard: () => void) => {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { done = true, value = '' } = (await reader?.read()) ?? {};
    if (done) return;
    onHeard();
    const blocks = (text + value).split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) deliverEvent(block, onEvent);
  }
};

const deliverEvent = (text: string, onEvent: (event: LiveEvent) => void) => {
  if (!text.startsWith('data: ')) return;
  const event = liveEvent.safeParse(JSON.parse(text.slice('data: '.length)));
  // Ignores unknown kinds of events, which a newer server may send.
  if (event.success) onEvent(event.data);
};
