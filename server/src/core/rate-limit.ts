import { tooMany } from './problem.ts';

/** In milliseconds. */
const minute = 60_000;
/** Callers that are remembered: those who called last, some 100 bytes each, however many there are. */
const mostRemembered = 20_000;

export type Allowance = ReturnType<typeof createAllowance>;

/**
 * Counts the calls of each key: so many at once, and as many a minute from then on, evenly, so that whoever was too fast
 * goes on after a second and not after a minute. 0 for no limit. What is remembered of a key is one moment: until when its
 * calls would take if they came evenly (the generic cell rate algorithm). It counts in this process alone.
 */
export const createAllowance = (perMinute: number) => {
  const each = minute / perMinute;
  // Two halves, of which the older is let go when the younger is full: who goes on calling is never forgotten.
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
    /** Counts a call. The seconds after which the key may call again when it was too many, and else 0. */
    take: (key: string): number => {
      if (perMinute === 0) return 0;
      // A clock that is put back would hold everybody up.
      const now = performance.now();
      const before = busyUntil(key);
      const until = Math.max(now, before) + each;
      const tooSoon = Math.floor(until - now - minute);
      remember(key, tooSoon > 0 ? before : until);
      return tooSoon > 0 ? Math.ceil(tooSoon / 1000) : 0;
    },
    /** Takes back that a call was counted. */
    giveBack: (key: string): void => {
      if (perMinute > 0) remember(key, busyUntil(key) - each);
    },
    /** How many keys are remembered. */
    size: (): number => younger.size + older.size,
  };
};

export const tooManyCalls = (seconds: number) =>
  tooMany(`Too many calls. Try again in ${seconds === 1 ? 'a second' : `${seconds} seconds`}.`, seconds);

/**
 * Lets each key through so many times a minute and refuses the rest with 429: it keeps a caller from wearing the server
 * out, and guards no secret.
 */
export const createRateLimit = (perMinute: number) => {
  const allowance = createAllowance(perMinute);
  return (key: string): void => {
    const seconds = allowance.take(key);
    if (seconds > 0) throw tooManyCalls(seconds);
  };
};
