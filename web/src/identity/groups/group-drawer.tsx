import { plural, t } from '@lingui/core/macro';
import { Button, Checkbox, NativeSelect, TagsInput, TextInput } from '@mantine/core';
import {
  type GroupDetails,
  type GroupKind,
  groupKindLabels,
  groupKinds,
  type GroupMember,
  groups,
} from '@radwork/contract/identity/groups';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessageOf, query, useAction } from '#core/http/api.ts';
import { confirm } from '#ui/dialogs/confirm.tsx';
import { CancelButton } from '#ui/dialogs/dialog-form.tsx';
import { SideDialog } from '#ui/dialogs/dialog.tsx';
import { useLeaveWarning } from '#ui/dialogs/use-leave-warning.ts';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { Notice } from '#ui/feedback/notice.tsx';
import { fieldErrorsOf } from '#ui/forms/field-errors.ts';
import styles from './groups.module.css';
import { MemberChoice } from './member-choice.tsx';

/** Group in the drawer: an existing group, or a new group if empty. */
export type Edited = { id?: string };

type Props = { edited: Edited | undefined; onClose: () => void };

const unsaved = {
  question: t`Leave without saving?`,
  consequence: t`Your changes to this group will be lost.`,
  verb: t`Leave`,
};

const failed = t`Failed to save the group`;

/** Drawer for a new or an existing group. */
export function GroupDrawer({ edited, onClose }: Props) {
  return (
    <SideDialog
      opened={edited !== undefined}
      onClose={onClose}
      position="right"
      size={520}
      title={edited?.id ? t`Group` : t`Create group`}
      closeButtonProps={{ 'aria-label': t`Close` }}
    >
      {edited?.id && <Stored id={edited.id} onDone={onClose} />}
      {edited && !edited.id && <GroupForm stored={undefined} onDone={onClose} />}
    </SideDialog>
  );
}

function Stored({ id, onDone }: { id: string; onDone: () => void }) {
  const result = useQuery({
    ...query(groups.get, { params: { id } }),
    // The group is never refetched, because a refetch would overwrite the input.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (result.data) return <GroupForm stored={result.data} onDone={onDone} />;
  if (!result.error) return <Skeleton lines={6} />;
  return <ErrorState failed={t`Failed to load the group`} error={result.error} onRetry={() => void result.refetch()} />;
}

type Fields = {
  name: string;
  kind: GroupKind;
  isLimiting: boolean;
  arrivalNames: string[];
  members: Pick<GroupMember, 'id' | 'name' | 'username'>[];
};

function GroupForm({ stored, onDone }: { stored: GroupDetails | undefined; onDone: () => void }) {
  const [typed, setTyped] = useState<Fields>({
    name: stored?.name ?? '',
    kind: stored?.kind ?? 'SUBSPECIALTY',
    isLimiting: stored?.isLimiting ?? false,
    arrivalNames: stored?.arrivalNames ?? [],
    members: stored?.members ?? [],
  });
  const [isDirty, setDirty] = useState(false);
  const save = useSaving(stored, onDone);
  useLeaveWarning(isDirty && !save.isDone, unsaved);
  const change = (part: Partial<Fields>) => {
    setTyped({ ...typed, ...part });
    setDirty(true);
  };
  const faults = fieldErrorsOf(save.error);
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save.run(typed);
      }}
    >
      <TextInput
        label={t`Name`}
        withAsterisk
        data-autofocus
        value={typed.name}
        error={faults.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <NativeSelect
        label={t`Kind`}
        data={groupKinds.map((value) => ({ value, label: groupKindLabels[value] }))}
        value={typed.kind}
        onChange={(event) => change({ kind: event.currentTarget.value as GroupKind })}
      />
      <Checkbox
        label={t`Members see only the studies of their groups`}
        description={t`Leaving the group does not lift the limit. Lift it on the user. Administrators are never limited.`}
        checked={typed.isLimiting}
        onChange={(event) => change({ isLimiting: event.currentTarget.checked })}
      />
      <MemberChoice chosen={typed.members} error={faults.memberIds} onChoose={(members) => change({ members })} />
      <TagsInput
        label={t`Institutions and stations`}
        description={t`Studies that arrive with one of these names get the group.`}
        value={typed.arrivalNames}
        error={faults.arrivalNames}
        onChange={(arrivalNames) => change({ arrivalNames })}
      />
      {save.error && !faults.name && !faults.memberIds && !faults.arrivalNames && (
        <Notice tone="danger">{errorMessageOf(save.error, failed)}</Notice>
      )}
      <div className={styles.buttons}>
        <CancelButton onCancel={onDone} />
        <Button type="submit" loading={save.isPending}>
          {stored ? t`Save` : t`Create group`}
        </Button>
      </div>
    </form>
  );
}

/** Saves a group. First asks when users become limited, or when limited users lose studies. */
const useSaving = (stored: GroupDetails | undefined, onDone: () => void) => {
  const refreshes = ['groups', 'users'];
  const create = useAction(groups.create, { done: t`Group created`, failed, refreshes });
  const update = useAction(groups.update, { done: t`Group saved`, failed, refreshes });
  const run = async ({ members: chosen, ...fields }: Fields) => {
    const body = { ...fields, memberIds: chosen.map(({ id }) => id) };
    if (!stored) {
      const members = body.isLimiting ? body.memberIds.length : 0;
      if (members > 0 && !(await confirm(limiting(members)))) return;
      create.mutate({ body }, { onSuccess: onDone });
      return;
    }
    const limited = body.isLimiting ? newlyLimited(stored, body.memberIds) : 0;
    const losing = stored.members.filter(({ id, isLimited }) => isLimited && !body.memberIds.includes(id)).length;
    if (limited > 0 && !(await confirm(limiting(limited)))) return;
    if (losing > 0 && !(await confirm(taking(losing)))) return;
    update.mutate({ params: { id: stored.id }, body: { ...body, revision: stored.revision } }, { onSuccess: onDone });
  };
  return {
    run,
    error: create.error ?? update.error,
    isPending: create.isPending || update.isPending,
    isDone: create.isSuccess || update.isSuccess,
  };
};

/** Returns how many members were not limited before. */
const newlyLimited = ({ members }: GroupDetails, memberIds: readonly string[]): number =>
  memberIds.filter((id) => !members.some((member) => member.id === id && member.isLimited)).length;

const limiting = (users: number) => ({
  question: t`Limit ${plural(users, { one: '# user', other: '# users' })}?`,
  consequence: (
    <>
      <p>{t`From the next action on, these users see only the studies of their groups. Administrators are not limited.`}</p>
      <p>{t`Assignments of these users to other studies end. The users who made them are notified.`}</p>
    </>
  ),
  verb: t`Limit users`,
});

const taking = (users: number) => ({
  question: t`Remove ${plural(users, { one: '# limited user', other: '# limited users' })} from the group?`,
  consequence: (
    <>
      <p>{t`From the next action on, these users no longer see studies that only this group shows them.`}</p>
      <p>{t`Their assignments to these studies end. The users who made them are notified.`}</p>
    </>
  ),
  verb: t`Remove users`,
});
