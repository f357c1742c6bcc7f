import { t } from '@lingui/core/macro';
import { patientMerges } from '@radwork/contract/imaging/patient-merges';
import { useAction } from '#core/http/api.ts';

/** Query keys of all data that shows patients or the patient of a study. */
export const affectedQueries = ['patients', 'studies', 'reports'];

export const failedToMerge = t`Failed to merge the records. Please try again.`;
export const failedToUndo = t`Failed to undo. Please try again.`;

/** Undoes a merge of patients or a move of a study. */
export const useUndoMerge = () =>
  useAction(patientMerges.undo, {
    done: t`Undone. Studies and reports are back in their earlier record.`,
    failed: failedToUndo,
    refreshes: affectedQueries,
  });
