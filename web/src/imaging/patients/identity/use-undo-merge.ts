import { t } from '@lingui/core/macro';
import { patientMerges } from '@radwork/contract/imaging/patient-merges';
import { useAction } from '#core/http/api.ts';

/** Queries that show patients or assign studies to them. */
export const affectedQueries = ['patients', 'studies', 'reports'];

export const failedToMerge = t`Failed to merge the records. Please try again.`;
export const failedToUndo = t`Failed to undo. Please try again.`;

/** Undoes a merge or a move. */
export const useUndoMerge = () =>
  useAction(patientMerges.undo, {
    done: t`Undone. Studies and reports are back in their earlier record.`,
    failed: failedToUndo,
    refreshes: affectedQueries,
  });
