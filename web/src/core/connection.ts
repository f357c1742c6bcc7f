import { useSyncExternalStore } from 'react';

/** Whether the last thing we heard of the server was an answer. Every call reports here; the status bar shows it. */
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

/** Whether the server can be reached, as far as we know. */
export const useIsConnected = (): boolean => useSyncExternalStore(onChange, () => isReachable);
