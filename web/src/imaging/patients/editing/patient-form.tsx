import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import type { PatientDetails } from '@radwork/contract/imaging/patients';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiError, errorMessageOf } from '#core/http/api.ts';
import { CancelButton } from '#ui/dialogs/dialog-form.tsx';
import { isShownAtFields } from '#ui/forms/field-errors.ts';
import { Notice } from '#ui/feedback/notice.tsx';
import { useLeaveWarning } from '#ui/dialogs/use-leave-warning.ts';
import { PatientFields } from './patient-fields.tsx';
import styles from './patient-form.module.css';
import type { PatientForm as Form, PatientValues } from './use-patient-form.ts';

type Props = {
  form: Form;
  stored?: PatientDetails;
  /** Label of the submit button. */
  verb: string;
  save: { isPending: boolean; isSuccess: boolean; error: Error | null; run: (values: PatientValues) => void };
  failed: string;
  onCancel: () => void;
  /** Content between the fields and the buttons. */
  children?: ReactNode;
};

const valuesAreLeft = {
  question: t`Leave without saving?`,
  consequence: t`Your changes to the patient will be lost.`,
  verb: t`Leave`,
};

/** Form of a patient with its buttons. Server errors appear at their fields; other errors appear above the buttons. */
export function PatientForm({ form, stored, verb, save, failed, onCancel, children }: Props) {
  useLeaveWarning(form.isDirty() && !save.isSuccess, valuesAreLeft);
  const { error } = save;
  return (
    <div className={styles.scroller}>
      <form className={styles.form} noValidate onSubmit={form.onSubmit(save.run, form.toFirstFault)}>
        <PatientFields form={form} isGenderUnknown={stored?.gender === 'U'} />
        <TakenId error={error} />
        {error && !isShownAtFields(error) && <Notice tone="danger">{errorMessageOf(error, failed)}</Notice>}
        {children}
        <div className={styles.buttons}>
          <CancelButton onCancel={onCancel} />
          <Button type="submit" loading={save.isPending}>
            {verb}
          </Button>
        </div>
      </form>
    </div>
  );
}

/** Links to the patient who already has the Patient ID, to prevent duplicates. */
function TakenId({ error }: { error: Error | null }) {
  const id = error instanceof ApiError ? error.fields.existingId : undefined;
  if (!id) return null;
  return (
    <Notice tone="danger">
      <Trans>
        A patient with this ID already exists.{' '}
        <Link to="/patients/$id" params={{ id }}>
          Open patient
        </Link>
      </Trans>
    </Notice>
  );
}
