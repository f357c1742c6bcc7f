import type { LocalMoment } from '@radwork/contract/imaging/arrival-conditions';
import { type Candidates, evaluate, type JudgedStudy, type Outcome, type Rule } from './evaluate.ts';

/** Times in milliseconds since 1970. Infinity: still open. */
type Open = { userId: string; until: number };

export type SimulatedStudy = JudgedStudy & {
  arrivedAt: number;
  /** When the study was reported or canceled. An assignment that a rule would have made ends then. */
  endedAt: number;
};

/**
 * Judges studies in the order of their arrival, each with the open studies of that time: those that were open at the
 * start, and those that the rules would have assigned meanwhile. Returns one outcome for each study, in the same order.
 */
export const simulate = (
  rules: readonly Rule[],
  candidates: Candidates,
  {
    studies,
    openAtStart,
    clock,
  }: { studies: readonly SimulatedStudy[]; openAtStart: readonly Open[]; clock: (at: Date) => LocalMoment },
): Outcome[] => {
  let open = openAtStart;
  let turns = rules;
  return studies.map((study) => {
    open = open.filter(({ until }) => until > study.arrivedAt);
    const outcome = evaluate(turns, withOpen(candidates, open), { study, moment: clock(new Date(study.arrivedAt)) });
    const { choice } = outcome;
    if (choice?.kind === 'USER') {
      open = [...open, { userId: choice.id, until: study.endedAt }];
      turns = turns.map((rule, place) => (place === choice.rule ? { ...rule, lastUserId: choice.id } : rule));
    }
    return outcome;
  });
};

const withOpen = ({ users, groups }: Candidates, open: readonly Open[]): Candidates => {
  const counts = new Map<string, number>();
  for (const { userId } of open) counts.set(userId, (counts.get(userId) ?? 0) + 1);
  return { users: new Map([...users].map(([id, user]) => [id, { ...user, open: counts.get(id) ?? 0 }])), groups };
};
