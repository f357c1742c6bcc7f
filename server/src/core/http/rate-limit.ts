import { plural } from '@radwork/contract/core/translate';
import { tooMany } from './problem.ts';

/** Milliseconds. */
const minute = 60_000;
/** Number of keys remembered, at about 100 bytes each. The least recently used keys are forgotten. */
const mostRemembered = 20_000;

export type Allowance = ReturnType<typeof createAllowance>;

/**
 * Counts calls per key. Allows `perMinute` calls at once, then the same number a minute, evenly spread. A caller above
 * the limit waits about a second, not a minute. 0 means no limit. Stores one time per key: when its calls would end if
 * evenly spread (generic cell rate algorithm). Each process counts separately.
 */
export const createAllowance = (perMinute: number) => {
  const each = minute / perMinute;
  // Two generations of keys. When the younger generation is full, it replaces the older generation, so keys in use are
  // not forgotten.
  let younger = new Map<string, number>();
  let older = new Map<string, number>();

  const busyUntil = (key: string): number => younger.get(key) ?? older.get(key) ?? 0;

  const remember = (key: string, until: number) => {
    if (younger.size >= mostRemembered / 2 && !younger.has(key)) {
      older = younger;
      younger = new Map();
    }
    younger.set(key, until);
  };

  return {
    /** Counts a call. Returns 0, or the seconds to wait when the call exceeds the limit. */
    take: (key: string): number => {
      if (perMinute === 0) return 0;
      // Uses a monotonic clock. If the system clock were used and set back, all callers would be blocked.
      const now = performance.now();
      const before = busyUntil(key);
      const until = Math.max(now, before) + each;
      const tooSoon = Math.floor(until - now - minute);
      remember(key, tooSoon > 0 ? before : until);
      return tooSoon > 0 ? Math.ceil(tooSoon / 1000) : 0;
    },
    /** Takes back the count of a call. */
    refund: (key: string): void => {
      if (perMinute > 0) remember(key, busyUntil(key) - each);
    },
    /** Returns the number of remembered keys. */
    size: (): number => younger.size + older.size,
  };
};

export const tooManyCalls = (seconds: number) =>
  tooMany(
    plural(seconds, {
      one: 'Too many calls. Try again in # second.',
      other: 'Too many calls. Try again in # seconds.',
    }),
    seconds,
  );

/**
 * Limits the calls of each key per minute. Further calls get 429. The limit protects the server from overload, not a
 * secret from guessing.
 */
export const createRateLimit = (perMinute: number) => {
  const allowance = createAllowance(perMinute);
  return (key: string): void => {
    const seconds = allowance.take(key);
    if (seconds > 0) throw tooManyCalls(seconds);
  };
};
