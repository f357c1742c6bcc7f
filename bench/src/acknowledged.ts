/** Milliseconds that a round may take until enough was acknowledged: a busy machine needs some. */
const longestRound = 120_000;

/**
 * Counts what a server acknowledges by kind, and tells when there is enough of it to strike: so many answers, and one of
 * each kind that is needed. Answers and not time decide, since a busy server may do nothing in a second.
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
    /** Resolves with the answer that makes it enough. Rejects after two minutes. */
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

/** A whole number from `least` to `most`. */
export const anyOf = (least: number, most: number): number => least + Math.floor(Math.random() * (most - least + 1));
