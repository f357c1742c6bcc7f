/** Whether the installation may be away at a moment, because it has just been struck. */
export type Away = { begin: () => void; end: () => void; wasAway: (from: number, until: number) => boolean };

/** What has just been struck needs a moment to be whole again, and calls that were on their way are answered late. */
const afterwards = 5000;

export const createAway = (): Away => {
  const times: { from: number; until: number }[] = [];
  return {
    begin: () => times.push({ from: performance.now(), until: Infinity }),
    end: () => {
      const last = times.at(-1);
      if (last) last.until = performance.now() + afterwards;
    },
    wasAway: (from, until) => times.some((time) => time.from < until && from < time.until),
  };
};

/** The calls of one kind: how long those took that were answered as they should be, and what was wrong. */
type Kind = { milliseconds: number[]; away: number; wrong: string[] };

export type Ledger = ReturnType<typeof createLedger>;

/**
 * Keeps how every call was answered. Whoever is not answered, or with 502, 503 or 504, has met what was struck; at any
 * other time, and for any other status, that is a fault.
 */
export const createLedger = (away: Away) => {
  const kinds = new Map<string, Kind>();
  const kindOf = (name: string): Kind => {
    const kind = kinds.get(name) ?? { milliseconds: [], away: 0, wrong: [] };
    kinds.set(name, kind);
    return kind;
  };

  return {
    kinds,
    /** Whether it was answered as it should be: `problem` says in words what is wrong with an answer that came. */
    note: (name: string, from: number, status: number, problem = ''): boolean => {
      const until = performance.now();
      const kind = kindOf(name);
      const isMissing = status === 0 || [502, 503, 504].includes(status);
      if (isMissing && away.wasAway(from, until)) kind.away += 1;
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

/** A line for each kind of call: how many, medians and p99 in milliseconds, and what was not as it should be. */
export const linesOf = ({ kinds }: Ledger): string[] =>
  [...kinds].map(([name, { milliseconds, away, wrong }]) => {
    const sorted = milliseconds.toSorted((one, other) => one - other);
    const times = `median ${at(sorted, 0.5).toFixed(0)} ms, p99 ${at(sorted, 0.99).toFixed(0)} ms, longest ${at(sorted, 1).toFixed(0)} ms`;
    return `${name}: ${sorted.length} answered, ${times}; ${away} while away, ${wrong.length} wrong`;
  });
