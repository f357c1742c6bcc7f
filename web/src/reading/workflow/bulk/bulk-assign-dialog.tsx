import { t } from '@lingui/core/macro';
import { Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type AssignableUser, noAssignees } from '@radwork/contract/reading/workflow';
import { DialogForm } from '#ui/dialogs/dialog-form.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { AssigneeChoice } from '#reading/workflow/assignee-choice.tsx';
import { GroupChoice } from '#reading/workflow/group-choice.tsx';
import { DueDateInput, dueDateProblem, momentOf } from '#reading/workflow/due-date.tsx';
import type { BulkChange } from './use-bulk-change.ts';

type Form = Extract<BulkChange, { type: 'assign' }>['form'];
type Props = { studyIds: string[]; opened: boolean; onClose: () => void; onAssign: (form: Form) => void };

/** Chooses users and groups for the selected studies. What will change is shown before anything is written. */
export function BulkAssignDialog({ opened, onClose, ...form }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title={t`Assign studies`} size={520}>
      <BulkAssignForm onClose={onClose} {...form} />
    </Dialog>
  );
}

type Values = { users: AssignableUser[]; groupIds: string[]; dueDate: string; notes: string };

const idle = { isPending: false, error: null };

function BulkAssignForm({ studyIds, onClose, onAssign }: Omit<Props, 'opened'>) {
  const form = useForm<Values>({
    initialValues: { users: [], groupIds: [], dueDate: '', notes: '' },
    validate: {
      users: (users, { groupIds }) => (users.length + groupIds.length === 0 ? noAssignees() : null),
      dueDate: (local) => dueDateProblem(local),
    },
  });
  const submit = form.onSubmit(({ users, groupIds, dueDate, notes }) =>
    onAssign({ studyIds, userIds: users.map(({ id }) => id), groupIds, dueDate: momentOf(dueDate), notes }),
  );
  return (
    <DialogForm verb={t`Assign studies`} action={idle} onSubmit={submit} onCancel={onClose}>
      <AssigneeChoice
        chosen={form.values.users}
        onChoose={(users) => form.setFieldValue('users', users)}
        error={form.errors.users}
      />
      <GroupChoice
        chosen={form.values.groupIds}
        onChoose={(groupIds) => form.setFieldValue('groupIds', groupIds)}
        error={form.errors.groupIds}
      />
      <DueDateInput
        label={t`Due date`}
        value={form.values.dueDate}
        onChange={(local) => form.setFieldValue('dueDate', local)}
        error={form.errors.dueDate}
      />
      <Textarea label={t`Notes`} rows={2} maxLength={2000} {...form.getInputProps('notes')} />
    </DialogForm>
  );
}
