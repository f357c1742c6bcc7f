import { plural } from '@radwork/contract/core/translate';
import { tooMany } from './problem.ts';

/** Milliseconds. */
const minute = 60_000;
/** Keys remembered at most, about 100 bytes each; the most recent ones. */
const mostRemembered = 20_000;

export type Allowance = ReturnType<typeof createAllowance>;

/**
 * Counts calls per key. Allows `perMinute` calls at once, and then the same number a minute, evenly spread. A caller
 * over the limit waits a second, not a minute. 0 means no limit. For each key it stores one moment: when its calls
 * would end if evenly spread (generic cell rate algorithm). Counts only in this process.
 */
export const createAllowance = (perMinute: number) => {
  const each = minute / perMinute;
  // Two generations. A full younger one replaces the older one, so active keys are never forgotten.
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
    /** Counts a call. Returns 0, or the seconds to wait when the limit is exceeded. */
    take: (key: string): number => {
      if (perMinute === 0) return 0;
      // Monotonic, because a system clock set back would block all callers.
      const now = performance.now();
      const before = busyUntil(key);
      const until = Math.max(now, before) + each;
      const tooSoon = Math.floor(until - now - minute);
      remember(key, tooSoon > 0 ? before : until);
      return tooSoon > 0 ? Math.ceil(tooSoon / 1000) : 0;
    },
    /** Credits a counted call. */
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
 * Limits each key to a number of calls a minute and refuses others with 429. It protects the server from overload,
 * not a secret.
 */
export const createRateLimit = (perMinute: number) => {
  const allowance = createAllowance(perMinute);
  return (key: string): void => {
    const seconds = allowance.take(key);
    if (seconds > 0) throw tooManyCalls(seconds);
  };
};
