import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { followRights } from '#core/http/confirm-session.ts';
import { createRefresher } from './live-refresh.ts';
import { openLiveStream } from './live-stream.ts';
import { listenInOneTab } from './live-tabs.ts';

/** Whether this browser receives live changes. */
let isLive = false;
const listeners = new Set<() => void>();

/**
 * Factor for poll intervals while the stream is open. Polling then only finds changes caused by the passing of time.
 */
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
 * Returns the `refetchInterval` in milliseconds: the given interval without the stream, a longer interval with the
 * stream, false in a hidden tab.
 */
export const usePollInterval = (milliseconds: number): number | false =>
  useSyncExternalStore(onChange, () => {
    if (document.visibilityState === 'hidden') return false;
    return isLive ? milliseconds * stretchedBy : milliseconds;
  });

/**
 * Follows changes by other users during a session and refetches visible data. Returns a function that stops the
 * following.
 */
export const followLive = (client: QueryClient): (() => void) => {
  const refresher = createRefresher(client);
  let wasLive = false;
  const stop = listenInOneTab({
    listen: openLiveStream,
    onEvent: refresher.hear,
    onChange: (live) => {
      if (live && !isLive) refresher.catchUp(!wasLive);
      // When the permissions of a user change, the server closes the user's stream. So the permissions are fetched
      // again here.
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
