import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { followRights } from './confirm-session.ts';
import { createRefresher } from './live-refresh.ts';
import { keepListening } from './live-stream.ts';
import { listenInOneTab } from './live-tabs.ts';

/** Whether changes made elsewhere are told to this browser as they happen. */
let isLive = false;
const listeners = new Set<() => void>();

/** A poll asks so many times less often while changes are told: it finds what a clock alone changes. */
const stretchedBy = 6;

const note = (live: boolean): void => {
  if (live === isLive) return;
  isLive = live;
  for (const listener of listeners) listener();
};

const onChange = (listener: () => void) => {
  listeners.add(listener);
  document.addEventListener('visibilitychange', listener);
  return () => {
    listeners.delete(listener);
    document.removeEventListener('visibilitychange', listener);
  };
};

export const useIsLive = (): boolean => useSyncExternalStore(onChange, () => isLive);

/**
 * How often to ask for something that others may change, in milliseconds, for `refetchInterval`: as often as the
 * specification says while nothing is told, seldom while it is, and never in a hidden tab (D-20).
 */
export const usePollInterval = (milliseconds: number): number | false =>
  useSyncExternalStore(onChange, () => {
    if (document.visibilityState === 'hidden') return false;
    return isLive ? milliseconds * stretchedBy : milliseconds;
  });

/** Follows what changes elsewhere and asks for what is shown again, while somebody is signed in. Returns how to stop. */
export const followLive = (client: QueryClient): (() => void) => {
  const refresher = createRefresher(client);
  let wasLive = false;
  const stop = listenInOneTab({
    listen: keepListening,
    onEvent: refresher.hear,
    onChange: (live) => {
      if (live && !isLive) refresher.catchUp(!wasLive);
      // The server ends the stream of whoever may now do other things than when they opened it.
      if (live && !isLive && wasLive) followRights();
      wasLive ||= live;
      note(live);
    },
  });
  return () => {
    stop();
    refresher.stop();
  };
};
