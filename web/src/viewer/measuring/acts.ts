import type { Act } from './measurement-drawing.ts';

/** How many of their acts somebody can take back. */
const remembered = 100;

/** What somebody did on a surface, by its id; on none while there is none yet. */
export type DoneAct = Act & { on: string | undefined };

/**
 * The last act that can be taken back where somebody is: what was done on another surface would change unseen. What was
 * changed elsewhere since would become what it was before that.
 */
const lastOn = (acts: readonly DoneAct[], surface: string | undefined): DoneAct | undefined =>
  acts.findLast(
    ({ id, on }, at) => (on === undefined || on === surface) && !acts.slice(at + 1).some((later) => later.id === id),
  );

export const canTakeBack = (acts: readonly DoneAct[], surface: string | undefined): boolean =>
  lastOn(acts, surface) !== undefined;

/** What somebody did, in their order. Tells of every change of it. */
export const createActs = (onChange: (acts: readonly DoneAct[]) => void) => {
  let acts: readonly DoneAct[] = [];
  /** What they drew, the first drawn first. */
  const drawn: string[] = [];
  const set = (next: readonly DoneAct[]) => {
    acts = next;
    onChange(acts);
  };
  return {
    add: (act: DoneAct) => {
      if (!act.before) drawn.push(act.id);
      set([...acts, act].slice(-remembered));
    },
    forget: (id: string) => set(acts.filter((act) => act.id !== id)),
    areThere: () => acts.length > 0,
    takeLast: (surface: string | undefined) => {
      const last = lastOn(acts, surface);
      set(acts.filter((act) => act !== last));
      return last;
    },
    /** Measurements by their ids, the first drawn first. The server has them in the order in which they reached it. */
    inOrder: (ids: readonly string[]): string[] => {
      const all = new Set(ids);
      return [...[...all].filter((id) => !drawn.includes(id)), ...drawn.filter((id) => all.has(id))];
    },
  };
};
