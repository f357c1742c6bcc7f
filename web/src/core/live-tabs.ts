import { liveEvent, type LiveEvent } from '@radwork/contract/live';
import { z } from 'zod';
import { onSessionChange, readSession } from './session.ts';
import { visitedSubdomain } from './visit.ts';

/**
 * The name of the lock that the tab with the stream holds, and of the channel over which it tells the others. Tabs in
 * different organisations have nothing to tell each other.
 */
const name = ['radwork-live', visitedSubdomain() ?? []].flat().join('.');

/** The server tells who comes what it announced up to 5 s before. Whose turn takes longer to begin has missed something. In milliseconds. */
const beginsWithin = 4000;

/** Tabs that are all hidden for so long give up the stream, in milliseconds. */
const hiddenAtMost = 5 * 60_000;

const message = z.union([
  z.object({ event: liveEvent }),
  z.object({ isLive: z.boolean() }),
  z.object({ question: z.literal('is it live?') }),
]);
type Message = z.infer<typeof message>;

export type Following = {
  /** Listens as whoever is signed in, until the signal aborts. */
  listen: (
    listening: { onChange: (isLive: boolean) => void; onEvent: (event: LiveEvent) => void },
    signal: AbortSignal,
  ) => Promise<void>;
  onChange: (isLive: boolean) => void;
  onEvent: (event: LiveEvent) => void;
};

/**
 * Listens in one tab of the browser and tells all of them, while somebody is signed in. Every tab that is looked at
 * waits for its turn, so when the one that listens is closed, or hidden for long, the next goes on; when all are hidden
 * for long, none does. A browser without locks, or a page that was not loaded over HTTPS, has none of this: there
 * each tab listens as long as it is looked at, since a browser opens six connections to a server and no more.
 * Returns how to stop.
 */
export const listenInOneTab = ({ listen, onChange, onEvent }: Following): (() => void) => {
  const locks = 'locks' in navigator ? navigator.locks : undefined;
  const channel = locks && new BroadcastChannel(name);
  const post = (news: Message) => channel?.postMessage(news);
  let turn: AbortController | undefined;
  let isLeading = false;
  let isLive = false;

  const note = (live: boolean) => {
    if (live === isLive) return;
    isLive = live;
    onChange(live);
  };

  const lead = async (signal: AbortSignal) => {
    if (signal.aborted) return;
    isLeading = true;
    const late = setTimeout(() => told.onChange(false), beginsWithin);
    const told = {
      onChange: (live: boolean) => {
        clearTimeout(late);
        note(live);
        post({ isLive: live });
      },
      onEvent: (event: LiveEvent) => {
        onEvent(event);
        post({ event });
      },
    };
    await listen(told, signal).finally(() => {
      clearTimeout(late);
      isLeading = false;
    });
  };

  const takeTurn = () => {
    if (turn || !readSession()) return;
    const { signal } = (turn = new AbortController());
    // Who gives up before it is their turn is told so by an error.
    if (locks) locks.request(name, { signal }, () => lead(signal)).catch(() => {});
    else void lead(signal);
  };

  const giveUp = () => {
    turn?.abort();
    turn = undefined;
  };

  channel?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const news = message.safeParse(data).data;
    if (!news) return;
    if ('question' in news) {
      if (isLeading) post({ isLive });
    } else if ('event' in news) onEvent(news.event);
    else note(news.isLive);
  });
  post({ question: 'is it live?' });

  const stopWatching = whileLookedAt(takeTurn, giveUp, locks ? hiddenAtMost : 0);
  let token = readSession()?.token;
  const stopFollowing = onSessionChange(() => {
    const next = readSession()?.token;
    if (next === token) return;
    token = next;
    giveUp();
    note(false);
    if (document.visibilityState === 'visible') takeTurn();
  });

  return () => {
    stopWatching();
    stopFollowing();
    giveUp();
    channel?.close();
    onChange(false);
  };
};

/** Calls `begin` when the page is looked at, and `end` when it has been hidden for so long. Returns how to stop. */
const whileLookedAt = (begin: () => void, end: () => void, hiddenFor: number): (() => void) => {
  let ending: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    clearTimeout(ending);
    if (document.visibilityState === 'visible') begin();
    else ending = setTimeout(end, hiddenFor);
  };
  look();
  document.addEventListener('visibilitychange', look);
  return () => {
    clearTimeout(ending);
    document.removeEventListener('visibilitychange', look);
  };
};
