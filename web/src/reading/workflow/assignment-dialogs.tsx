import { t } from '@lingui/core/macro';
import { Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Assignment } from '@radwork/contract/reading/workflow';
import { DialogForm } from '#ui/dialogs/dialog-form.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { formatEventTime } from '#ui/formats/formats.ts';
import { DueDateInput, dueDateProblem, momentOf } from './due-date.tsx';
import { useWorkAction } from './workflow-actions.ts';

type Props = { studyId: string; assignment: Assignment; opened: boolean; onClose: () => void };
type FormProps = Omit<Props, 'opened'>;

/** Extends the due date of an assignment. */
export function ExtendDialog({ opened, ...form }: Props) {
  return (
    <Dialog opened={opened} onClose={form.onClose} title={t`Extend due date`} size={400}>
      <ExtendForm {...form} />
    </Dialog>
  );
}

function ExtendForm({ studyId, assignment, onClose }: FormProps) {
  const extend = useWorkAction(studyId);
  const { user, dueDate: before } = assignment;
  const due = before ? formatEventTime(before) : '';
  const form = useForm({
    initialValues: { dueDate: '' },
    validate: {
      dueDate: (local) => (local === '' ? t`Due date is required` : dueDateProblem(local, before)),
    },
  });
  const submit = form.onSubmit(({ dueDate }) => {
    const moment = momentOf(dueDate);
    if (moment) extend.mutate({ type: 'extend', userId: user.id, dueDate: moment }, { onSuccess: onClose });
  });
  return (
    <DialogForm verb={t`Extend due date`} action={extend} onSubmit={submit} onCancel={onClose}>
      <p className="muted">
        {user.name} · {before ? t`due ${due}` : t`no due date`}
      </p>
      <DueDateInput
        label={t`New due date`}
        isRequired
        isFirst
        value={form.values.dueDate}
        onChange={(local) => form.setFieldValue('dueDate', local)}
        error={form.errors.dueDate}
      />
    </DialogForm>
  );
}

/** Completes a user's assignment. */
export function CompleteDialog({ opened, ...form }: Props) {
  return (
    <Dialog opened={opened} onClose={form.onClose} title={t`Complete assignment`} size={400}>
      <CompleteForm {...form} />
    </Dialog>
  );
}

function CompleteForm({ studyId, assignment, onClose }: FormProps) {
  const complete = useWorkAction(studyId);
  const { user } = assignment;
  const { name } = user;
  const form = useForm({ initialValues: { notes: '' } });
  const submit = form.onSubmit(({ notes }) =>
    complete.mutate({ type: 'complete', userId: user.id, notes }, { onSuccess: onClose }),
  );
  return (
    <DialogForm verb={t`Complete assignment`} action={complete} onSubmit={submit} onCancel={onClose}>
      <p className="muted">{t`The assignment of ${name} ends. The status of the study does not change.`}</p>
      <Textarea label={t`Notes`} rows={3} maxLength={2000} data-autofocus {...form.getInputProps('notes')} />
    </DialogForm>
  );
}
