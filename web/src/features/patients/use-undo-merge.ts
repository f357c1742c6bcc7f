import { patientMerges } from '@radwork/contract/patient-merges';
import { useAction } from '#core/api.ts';

/** Queries that show patients or assign studies to them. */
export const refreshed = ['patients', 'studies', 'reports'];

export const failedToMerge = 'Failed to merge the records. Please try again.';
export const failedToUndo = 'Failed to undo. Please try again.';

/** Undoes a merge or a move. */
export const useUndoMerge = () =>
  useAction(patientMerges.undo, {
    done: 'Undone: everything is where it was',
    failed: failedToUndo,
    refreshes: refreshed,
  });
