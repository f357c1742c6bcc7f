import type { MeasurementChange } from './measurement-drawing.ts';

/** Number of acts that can be undone. */
const remembered = 100;

/** Change on a surface, with the surface ID; undefined if there was no surface yet. */
export type RecordedChange = MeasurementChange & { on: string | undefined };

/**
 * Returns the last act that can be undone on this surface. Leaves out acts on other surfaces, whose undo would be
 * invisible. Leaves out acts on a measurement that was changed later, whose undo would lose that change.
 */
const lastOn = (acts: readonly RecordedChange[], surface: string | undefined): RecordedChange | undefined =>
  acts.findLast(
    ({ id, on }, at) => (on === undefined || on === surface) && !acts.slice(at + 1).some((later) => later.id === id),
  );

export const canTakeBack = (acts: readonly RecordedChange[], surface: string | undefined): boolean =>
  lastOn(acts, surface) !== undefined;

/** Records the acts of the user in order, and reports each change of the list. */
export const createHistory = (onChange: (acts: readonly RecordedChange[]) => void) => {
  let acts: readonly RecordedChange[] = [];
  /** IDs of drawn measurements, oldest first. */
  const drawn: string[] = [];
  const set = (next: readonly RecordedChange[]) => {
    acts = next;
    onChange(acts);
  };
  return {
    add: (act: RecordedChange) => {
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
    /** Sorts measurement IDs by drawing order. The server has them in order of arrival. */
    inOrder: (ids: readonly string[]): string[] => {
      const all = new Set(ids);
      return [...[...all].filter((id) => !drawn.includes(id)), ...drawn.filter((id) => all.has(id))];
    },
  };
};
