import { liveEvent, type LiveEvent } from '@radwork/contract/identity/live';
import { z } from 'zod';
import { onSessionChange, readSession } from '#core/state/session.ts';
import { visitedSubdomain } from '#core/state/tenant-visit.ts';

/**
 * One name for two things: the lock that the receiving tab holds, and the channel on which it forwards the events to
 * the other tabs. Each visited organization has its own name.
 */
const name = ['radwork-live', visitedSubdomain() ?? []].flat().join('.');

/**
 * Time in milliseconds within which another tab must begin to listen. A new listener receives the events of the last 5
 * s; after a longer pause, it misses some events.
 */
const beginsWithin = 4000;

/** Time in milliseconds after which the stream closes if all tabs are hidden. */
const hiddenAtMost = 5 * 60_000;

const message = z.union([
  z.object({ event: liveEvent }),
  z.object({ isLive: z.boolean() }),
  z.object({ question: z.literal('is it live?') }),
]);
type Message = z.infer<typeof message>;

export type TabListener = {
  /** Listens to events of the signed-in user until the signal aborts. */
  listen: (
    listening: { onChange: (isLive: boolean) => void; onEvent: (event: LiveEvent) => void },
    signal: AbortSignal,
  ) => Promise<void>;
  onChange: (isLive: boolean) => void;
  onEvent: (event: LiveEvent) => void;
};

/**
 * Listens in one tab of the browser and forwards events to all tabs, because a browser allows six connections per
 * server. Visible tabs wait for their turn: when the listening tab closes or is hidden for long, the next tab listens.
 * If all tabs are hidden for long, none listens. Without browser locks, which need HTTPS, each visible tab listens
 * itself. Returns a function that stops the listening.
 */
export const listenInOneTab = ({ listen, onChange, onEvent }: TabListener): (() => void) => {
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

  const listenAsLeader = async (signal: AbortSignal) => {
    if (signal.aborted) return;
    isLeading = true;
    const late = setTimeout(() => handlers.onChange(false), beginsWithin);
    const handlers = {
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
    await listen(handlers, signal).finally(() => {
      clearTimeout(late);
      isLeading = false;
    });
  };

  const takeTurn = () => {
    if (turn || !readSession()) return;
    const { signal } = (turn = new AbortController());
    // Ignores the rejection when the tab stops waiting for the lock.
    if (locks) locks.request(name, { signal }, () => listenAsLeader(signal)).catch(() => {});
    else void listenAsLeader(signal);
  };

  const stopListening = () => {
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

  const stopWatching = whileLookedAt(takeTurn, stopListening, locks ? hiddenAtMost : 0);
  let token = readSession()?.token;
  const stopFollowing = onSessionChange(() => {
    const next = readSession()?.token;
    if (next === token) return;
    token = next;
    stopListening();
    note(false);
    if (document.visibilityState === 'visible') takeTurn();
  });

  return () => {
    stopWatching();
    stopFollowing();
    stopListening();
    channel?.close();
    onChange(false);
  };
};

/**
 * Calls `begin` when the page becomes visible, and `end` after it was hidden for `hiddenFor`. Returns a function that
 * stops these calls.
 */
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
