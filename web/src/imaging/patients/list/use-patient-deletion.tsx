import { t } from '@lingui/core/macro';
import { patients, type PatientRow } from '@radwork/contract/imaging/patients';
import { useCallback } from 'react';
import { useAction } from '#core/http/api.ts';
import { confirm } from '#ui/dialogs/confirm.tsx';

export const failedToDelete = t`Failed to delete patient. Please try again.`;

/** Deletes a patient after confirmation, then calls `onDone`. */
export const usePatientDeletion = (onDone?: () => void) => {
  const removal = useAction(patients.remove, { done: t`Patient deleted successfully`, failed: failedToDelete });
  const { mutate } = removal;
  const askToRemove = useCallback(
    async ({ id, patientName, patientId }: Pick<PatientRow, 'id' | 'patientName' | 'patientId'>) => {
      const agreed = await confirm({
        question: t`Are you sure you want to delete this patient?`,
        consequence: (
          <>
            <p>
              <strong>{patientName}</strong> {patientId}
            </p>
            <p>
              {t`The record and its contact details cannot be restored. You cannot delete a patient with studies; merge the patient into another record instead.`}
            </p>
          </>
        ),
        verb: t`Delete patient`,
      });
      if (agreed) mutate({ params: { id } }, onDone && { onSuccess: onDone });
    },
    [mutate, onDone],
  );
  return { removal, askToRemove };
};
