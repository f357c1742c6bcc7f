import { t } from '@lingui/core/macro';
import { Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type AssignableUser, noAssignees } from '@radwork/contract/reading/workflow';
import type { ReactNode } from 'react';
import { DialogForm } from '#ui/dialogs/dialog-form.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Notice } from '#ui/feedback/notice.tsx';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { DueDateInput, dueDateProblem, momentOf } from './due-date.tsx';
import { AssigneeChoice } from './assignee-choice.tsx';
import { GroupChoice } from './group-choice.tsx';
import { useWork, useWorkAction } from './workflow-actions.ts';

type Props = {
  studyId: string;
  opened: boolean;
  onClose: () => void;
  /** Name of the study, shown if the dialog opens from a list. */
  about?: ReactNode;
};

/** Assigns users to a study. */
export function AssignDialog({ studyId, opened, onClose, about }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title={t`Assign users`} size={520}>
      {about}
      <AssignTo studyId={studyId} onClose={onClose} />
    </Dialog>
  );
}

function AssignTo({ studyId, onClose }: Pick<Props, 'studyId' | 'onClose'>) {
  const work = useWork(studyId);
  if (work.isPending) return <Skeleton label={t`Loading assignments`} />;
  if (!work.data) {
    return <ErrorState failed={t`Error assigning users`} error={work.error} onRetry={() => void work.refetch()} />;
  }
  const { assigning } = work.data.refusals;
  if (assigning !== null) return <Notice tone="info">{assigning}</Notice>;
  return <AssignForm studyId={studyId} onClose={onClose} />;
}

type Values = { users: AssignableUser[]; groupIds: string[]; dueDate: string; notes: string };

function AssignForm({ studyId, onClose }: Pick<Props, 'studyId' | 'onClose'>) {
  const assign = useWorkAction(studyId);
  const form = useForm<Values>({
    initialValues: { users: [], groupIds: [], dueDate: '', notes: '' },
    validate: {
      users: (users, { groupIds }) => (users.length + groupIds.length === 0 ? noAssignees() : null),
      dueDate: (local) => dueDateProblem(local),
    },
  });
  const submit = form.onSubmit(({ users, groupIds, dueDate, notes }) =>
    assign.mutate(
      { type: 'assign', userIds: users.map(({ id }) => id), groupIds, dueDate: momentOf(dueDate), notes },
      { onSuccess: onClose },
    ),
  );
  return (
    <DialogForm verb={t`Assign users`} action={assign} onSubmit={submit} onCancel={onClose}>
      <AssigneeChoice
        studyId={studyId}
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
