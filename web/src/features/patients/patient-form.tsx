import { Button } from '@mantine/core';
import type { PatientDetails } from '@radwork/contract/patients';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiError, wordsFor } from '#core/api.ts';
import { CancelButton } from '#ui/dialog-form.tsx';
import { isAtFields } from '#ui/form-faults.ts';
import { Notice } from '#ui/notice.tsx';
import { useLeaveWarning } from '#ui/use-leave-warning.ts';
import { PatientFields } from './patient-fields.tsx';
import styles from './patient-form.module.css';
import type { PatientForm as Form, PatientValues } from './use-patient-form.ts';

type Props = {
  form: Form;
  stored?: PatientDetails;
  /** What the button does. */
  verb: string;
  save: { isPending: boolean; isSuccess: boolean; error: Error | null; run: (values: PatientValues) => void };
  failed: string;
  onCancel: () => void;
  /** What stands between the fields and the buttons. */
  children?: ReactNode;
};

const valuesAreLeft = {
  question: 'Leave without saving?',
  consequence: 'What you typed about the patient is lost.',
  verb: 'Leave',
};

/** The form of a patient with its buttons. What the server finds wrong is told at the fields, the rest above the buttons. */
export function PatientForm({ form, stored, verb, save, failed, onCancel, children }: Props) {
  useLeaveWarning(form.isDirty() && !save.isSuccess, valuesAreLeft);
  const { error } = save;
  return (
    <div className={styles.scroller}>
      <form className={styles.form} noValidate onSubmit={form.onSubmit(save.run, form.toFirstFault)}>
        <PatientFields form={form} isGenderUnknown={stored?.gender === 'U'} />
        <TakenId error={error} />
        {error && !isAtFields(error) && <Notice tone="danger">{wordsFor(error, failed)}</Notice>}
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

/** Who has the ID already, so that nobody is entered twice (C57). */
function TakenId({ error }: { error: Error | null }) {
  const id = error instanceof ApiError ? error.fields.existingId : undefined;
  if (!id) return null;
  return (
    <Notice tone="danger">
      A patient with this ID already exists.{' '}
      <Link to="/patients/$id" params={{ id }}>
        Open that patient
      </Link>
    </Notice>
  );
}
