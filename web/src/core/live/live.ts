import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { followRights } from '#core/http/confirm-session.ts';
import { createRefresher } from './live-refresh.ts';
import { openLiveStream } from './live-stream.ts';
import { listenInOneTab } from './live-tabs.ts';

/** True if this browser receives changes as they happen. */
let isLive = false;
const listeners = new Set<() => void>();

/** Factor for poll intervals while the stream is open. Polls then only find what changes with time. */
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
 * Poll interval in milliseconds for `refetchInterval`. As specified without the stream, longer with it, false in a
 * hidden tab (D-20).
 */
export const usePollInterval = (milliseconds: number): number | false =>
  useSyncExternalStore(onChange, () => {
    if (document.visibilityState === 'hidden') return false;
    return isLive ? milliseconds * stretchedBy : milliseconds;
  });

/** Follows changes elsewhere during a session and refetches what is visible. Returns a function to stop. */
export const followLive = (client: QueryClient): (() => void) => {
  const refresher = createRefresher(client);
  let wasLive = false;
  const stop = listenInOneTab({
    listen: openLiveStream,
    onEvent: refresher.hear,
    onChange: (live) => {
      if (live && !isLive) refresher.catchUp(!wasLive);
      // The server ends the stream of a user whose rights changed.
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
