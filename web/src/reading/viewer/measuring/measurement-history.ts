import type { MeasurementChange } from './measurement-drawing.ts';

/** Number of changes that can be undone. */
const remembered = 100;

/** Change of a measurement, with the ID of its surface; undefined if there was no surface yet. */
export type RecordedChange = MeasurementChange & { on: string | undefined };

/**
 * Returns the last change that can be undone on this surface. Skips changes on other surfaces, because the user would
 * not see the undo. Skips changes to a measurement that was changed later, because the undo would lose the later
 * change.
 */
const lastOn = (acts: readonly RecordedChange[], surface: string | undefined): RecordedChange | undefined =>
  acts.findLast(
    ({ id, on }, at) => (on === undefined || on === surface) && !acts.slice(at + 1).some((later) => later.id === id),
  );

export const canTakeBack = (acts: readonly RecordedChange[], surface: string | undefined): boolean =>
  lastOn(acts, surface) !== undefined;

/** Records the user's changes in order. Calls `onChange` with the list after each change. */
export const createHistory = (onChange: (acts: readonly RecordedChange[]) => void) => {
  let acts: readonly RecordedChange[] = [];
  /** IDs of the measurements drawn in this window, oldest first. */
  const createdIds: string[] = [];
  const set = (next: readonly RecordedChange[]) => {
    acts = next;
    onChange(acts);
  };
  return {
    add: (act: RecordedChange) => {
      if (!act.before) createdIds.push(act.id);
      set([...acts, act].slice(-remembered));
    },
    forget: (id: string) => set(acts.filter((act) => act.id !== id)),
    areThere: () => acts.length > 0,
    takeLast: (surface: string | undefined) => {
      const last = lastOn(acts, surface);
      set(acts.filter((act) => act !== last));
      return last;
    },
    /** Sorts measurement IDs in the order of drawing. The server lists them in the order in which they were saved. */
    inOrder: (ids: readonly string[]): string[] => {
      const all = new Set(ids);
      return [...[...all].filter((id) => !createdIds.includes(id)), ...createdIds.filter((id) => all.has(id))];
    },
  };
};
