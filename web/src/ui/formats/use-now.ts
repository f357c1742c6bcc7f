import { useMemo, useSyncExternalStore } from 'react';

type Clock = { subscribe: (listener: () => void) => () => void; read: () => Date };

/** Age in milliseconds from which the time of a clock without subscribers is read again. */
const staleAfter = 1000;

/** Returns a clock that ticks only while a component watches it. */
const createClock = (interval: number): Clock => {
  const listeners = new Set<() => void>();
  let now = new Date();
  let timer: ReturnType<typeof setInterval> | undefined;
  const tick = () => {
    now = new Date();
    for (const listener of listeners) listener();
  };
  return {
    read: () => now,
    subscribe: (listener) => {
      listeners.add(listener);
      if (Math.abs(Date.now() - now.getTime()) > staleAfter) tick();
      timer ??= setInterval(tick, interval);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
};

const clocks = new Map<number, Clock>();

const clockOf = (interval: number): Clock => {
  const clock = clocks.get(interval) ?? createClock(interval);
  clocks.set(interval, clock);
  return clock;
};

/**
 * Returns the current time, updated every `interval` milliseconds, for texts such as "11m". All components with the
 * same interval share one clock.
 */
export const useNow = (interval = 60_000): Date => {
  const clock = useMemo(() => clockOf(interval), [interval]);
  return useSyncExternalStore(clock.subscribe, clock.read);
};
