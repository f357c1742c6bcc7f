import { setTimeout as wait } from 'node:timers/promises';
import type { LiveEvent } from '../../../contract/src/identity/live.ts';
import type { Caller } from './caller.ts';
import type { Clinic, SignedInPerson } from './clinic-users.ts';

/**
 * Milliseconds, as in web/src/core/live/live-refresh.ts: visible data is refreshed within one second, other lists within
 * ten.
 */
const soon = 1000;
const later = 10_000;
/** Milliseconds of random delay before a refresh, and additional delay for lists. */
const spread = 250;
const spreadOfLists = 1000;

/** Visible rows of the list. */
const rows = 25;

/** The polling intervals of the specification, in milliseconds. */
const polls = { list: 30_000, badge: 30_000, about: 30_000, conversation: 10_000 };
/**
 * Factor by which the polling intervals of a browser grow while it receives live events. Polling is then only a
 * fallback (web/src/core/live/live.ts).
 */
export const stretchWhileListening = 6;

export type Browser = { hear: (event: LiveEvent) => void };

/** Simulates one user's browser: polls by the clock and refreshes after events. Every user has a chat open. */
export const openBrowser = (
  call: Caller,
  { token }: SignedInPerson,
  { studies }: Clinic,
  { studyId, stretch }: { studyId: string; stretch: number },
  signal: AbortSignal,
): Browser => {
  const paths = {
    list: `/api/studies?page=0&size=${rows}`,
    badge: '/api/notifications?filter=unread&size=1',
    about: '/api/about',
    conversation: `/api/chat/conversation/${studyId}?page=0&size=10`,
  };
  const shownIds = new Set(studies.slice(0, rows).map(({ id }) => id));
  const requestedAt = new Map<string, number>();
  const waiting = new Set<string>();

  const fetchPath = (kind: keyof typeof paths, isPoll: boolean) => {
    requestedAt.set(kind, Date.now());
    return call(token, { kind: isPoll ? `${kind}, polled` : `${kind}, heard of`, path: paths[kind], isPoll });
  };

  const poll = async (kind: keyof typeof polls) => {
    const every = polls[kind] * stretch;
    await wait(Math.random() * every, undefined, { signal });
    while (!signal.aborted) {
      const [pause] = [wait(every, undefined, { signal }), fetchPath(kind, true)];
      await pause;
    }
  };
  for (const kind of Object.keys(polls) as (keyof typeof polls)[]) poll(kind).catch(() => {});

  const askAgain = (kind: keyof typeof paths, atMostEvery: number) => {
    if (waiting.has(kind)) return;
    waiting.add(kind);
    const since = Date.now() - (requestedAt.get(kind) ?? 0);
    const spreadOfKind = kind === 'list' ? spread + spreadOfLists : spread;
    const pause = Math.max(Math.random() * spreadOfKind, atMostEvery - since);
    wait(pause, undefined, { signal })
      .then(() => {
        waiting.delete(kind);
        return fetchPath(kind, false);
      })
      .catch(() => {});
  };

  return {
    hear: (event) => {
      if (event.kind === 'study') askAgain('list', shownIds.has(event.studyId) ? soon : later);
      if (event.kind === 'notifications') askAgain('badge', soon);
      if (event.kind === 'chat' && event.studyId === studyId) askAgain('conversation', soon);
    },
  };
};
