import { tooMany } from './problem.ts';

/**
 * Lets each key through so many times a minute and refuses the rest with 429. It counts in this process and in whole
 * minutes: it keeps a caller from wearing the server out, and guards no secret.
 */
export const createRateLimit = (perMinute: number) => {
  const counts = new Map<string, number>();
  let minute = 0;
  return (key: string): void => {
    const now = Date.now();
    if (Math.floor(now / 60_000) !== minute) {
      counts.clear();
      minute = Math.floor(now / 60_000);
    }
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (count > perMinute)
      throw tooMany('Too many requests. Try again in a minute.', 60 - Math.floor((now % 60_000) / 1000));
  };
};
