/** Durations in milliseconds. */
export type Times = { add: (milliseconds: number) => void; line: () => string; count: () => number };

export const createTimes = (): Times => {
  const times: number[] = [];
  const at = (sorted: readonly number[], part: number) => sorted[Math.ceil(sorted.length * part) - 1] ?? 0;
  return {
    add: (milliseconds) => times.push(milliseconds),
    count: () => times.length,
    line: () => {
      const sorted = times.toSorted((one, other) => one - other);
      const parts = [0.5, 0.95, 0.99].map((part) => `p${part * 100} ${at(sorted, part).toFixed(1)}`);
      return `${parts.join('  ')}  most ${at(sorted, 1).toFixed(1)} ms  (${times.length})`;
    },
  };
};

/** Durations by kind of call and of all calls, and the errors. */
export const createCallFigures = () => {
  const byKind = new Map<string, Times>();
  const all = createTimes();
  const errors = new Map<string, number>();
  let isCounting = false;
  return {
    all,
    byKind,
    errors,
    /** Earlier calls do not count, because browsers are still connecting and caches are empty. */
    begin: () => {
      isCounting = true;
    },
    note: (kind: string, milliseconds: number) => {
      if (!isCounting) return;
      const times = byKind.get(kind) ?? createTimes();
      byKind.set(kind, times);
      times.add(milliseconds);
      all.add(milliseconds);
    },
    /** Errors count from the start. */
    fail: (words: string) => {
      errors.set(words, (errors.get(words) ?? 0) + 1);
    },
  };
};
export type CallFigures = ReturnType<typeof createCallFigures>;
