import type { Act } from './measurement-drawing.ts';

/** How many of their acts somebody can take back. */
const remembered = 100;

/** What somebody did, in their order. Tells whether there is something to take back. */
export const createActs = (onChange: (canUndo: boolean) => void) => {
  let acts: Act[] = [];
  /** What they drew, the first drawn first. */
  const drawn: string[] = [];
  const set = (next: Act[]) => {
    acts = next;
    onChange(acts.length > 0);
  };
  return {
    add: (act: Act) => {
      if (!act.before) drawn.push(act.id);
      set([...acts, act].slice(-remembered));
    },
    forget: (id: string) => set(acts.filter((act) => act.id !== id)),
    takeLast: () => {
      const last = acts.at(-1);
      set(acts.slice(0, -1));
      return last;
    },
    /** Measurements by their ids, the first drawn first. The server has them in the order in which they reached it. */
    inOrder: (ids: readonly string[]): string[] => {
      const all = new Set(ids);
      return [...[...all].filter((id) => !drawn.includes(id)), ...drawn.filter((id) => all.has(id))];
    },
  };
};
