/** Whether the installation may be unavailable at a moment because of a strike. */
export type Outages = { begin: () => void; end: () => void; overlapsOutage: (from: number, until: number) => boolean };

/** Time in milliseconds in which the server recovers after a fault. Calls that were pending are answered late. */
const recoveryMs = 5000;

export const createOutages = (): Outages => {
  const times: { from: number; until: number }[] = [];
  return {
    begin: () => times.push({ from: performance.now(), until: Infinity }),
    end: () => {
      const last = times.at(-1);
      if (last) last.until = performance.now() + recoveryMs;
    },
    overlapsOutage: (from, until) => times.some((time) => time.from < until && from < time.until),
  };
};

/** The calls of one kind: durations of correct answers, calls during a strike, and faults. */
type Kind = { milliseconds: number[]; duringOutage: number; wrong: string[] };

export type Ledger = ReturnType<typeof createLedger>;

/**
 * Records every answer. During a fault, no answer and the statuses 502, 503 and 504 are allowed. At other times these
 * count as faults of the server, as do all other error statuses at any time.
 */
export const createLedger = (away: Outages) => {
  const kinds = new Map<string, Kind>();
  const kindOf = (name: string): Kind => {
    const kind = kinds.get(name) ?? { milliseconds: [], duringOutage: 0, wrong: [] };
    kinds.set(name, kind);
    return kind;
  };

  return {
    kinds,
    /** Records an answer and returns whether it was correct. `problem` describes a fault in the body. */
    note: (name: string, from: number, status: number, problem = ''): boolean => {
      const until = performance.now();
      const kind = kindOf(name);
      const isMissing = status === 0 || [502, 503, 504].includes(status);
      if (isMissing && away.overlapsOutage(from, until)) kind.duringOutage += 1;
      else if (isMissing) kind.wrong.push(`${status || 'no answer'} while nothing was struck`);
      else if (status >= 400) kind.wrong.push(`answered with ${status}`);
      else if (problem) kind.wrong.push(problem);
      else kind.milliseconds.push(until - from);
      return !isMissing && status < 400 && !problem;
    },
    wrong: (name: string, problem: string) => {
      kindOf(name).wrong.push(problem);
    },
  };
};

const at = (sorted: readonly number[], part: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;

/** A line for each kind of call: count, median and p99 in milliseconds, and faults. */
export const linesOf = ({ kinds }: Ledger): string[] =>
  [...kinds].map(([name, { milliseconds, duringOutage, wrong }]) => {
    const sorted = milliseconds.toSorted((one, other) => one - other);
    const times = `median ${at(sorted, 0.5).toFixed(0)} ms, p99 ${at(sorted, 0.99).toFixed(0)} ms, longest ${at(sorted, 1).toFixed(0)} ms`;
    return `${name}: ${sorted.length} answered, ${times}; ${duringOutage} while away, ${wrong.length} wrong`;
  });
