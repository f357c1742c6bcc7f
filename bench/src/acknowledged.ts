/** Longest wait for enough acknowledgments, in milliseconds. A busy machine needs some time. */
const longestRound = 120_000;

/**
 * Counts the server's acknowledgments by kind. Enough have arrived for the next fault after `least` acknowledgments,
 * with at least one of each kind in `needed`. Counts acknowledgments instead of seconds, because a busy server may do
 * nothing in a second.
 */
export const countAcknowledged = (least: number, needed: readonly string[] = []) => {
  const counts = new Map<string, number>();
  const { promise, resolve } = Promise.withResolvers<void>();
  const sum = () => [...counts.values()].reduce((total, count) => total + count, 0);
  return {
    note: (kind: string): void => {
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      if (sum() >= least && needed.every((one) => counts.has(one))) resolve();
    },
    count: (...kinds: readonly string[]): number => kinds.reduce((total, kind) => total + (counts.get(kind) ?? 0), 0),
    /** Resolves when enough answers have arrived. Rejects after two minutes. */
    isEnough: async (): Promise<void> => {
      const timer = Promise.withResolvers<never>();
      const limit = setTimeout(
        () => timer.reject(new Error(`Of ${least} answers before a strike ${sum()} came`)),
        longestRound,
      );
      await Promise.race([promise, timer.promise]).finally(() => clearTimeout(limit));
    },
  };
};

/** Returns a random whole number from `least` to `most`. */
export const anyOf = (least: number, most: number): number => least + Math.floor(Math.random() * (most - least + 1));
