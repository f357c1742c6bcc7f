import { useSyncExternalStore } from 'react';

/** Whether the last call received a response. Every call reports this, and the status bar shows it. */
let isReachable = true;
const listeners = new Set<() => void>();

const note = (reachable: boolean) => {
  if (reachable === isReachable) return;
  isReachable = reachable;
  for (const listener of listeners) listener();
};

export const noteAnswer = () => note(true);
export const noteSilence = () => note(false);

const onChange = (listener: () => void) => {
  listeners.add(listener);
  window.addEventListener('offline', noteSilence);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('offline', noteSilence);
  };
};

/** Returns whether the last call reached the server. */
export const useIsConnected = (): boolean => useSyncExternalStore(onChange, () => isReachable);
