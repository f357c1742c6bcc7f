import { plural, t } from '@lingui/core/macro';
import { Button, Textarea, TextInput } from '@mantine/core';
import type { Permission } from '@radwork/contract/core/access';
import { type Role, roles } from '@radwork/contract/identity/roles';
import { managerOf, refuseGiving } from '@radwork/contract/identity/user-rights';
import { useState } from 'react';
import { useAction, errorMessageOf } from '#core/http/api.ts';
import { readSession } from '#core/state/session.ts';
import { confirm } from '#ui/dialogs/confirm.tsx';
import { SideDialog } from '#ui/dialogs/dialog.tsx';
import { CancelButton } from '#ui/dialogs/dialog-form.tsx';
import { fieldErrorsOf } from '#ui/forms/field-errors.ts';
import { Notice } from '#ui/feedback/notice.tsx';
import { useLeaveWarning } from '#ui/dialogs/use-leave-warning.ts';
import { PermissionMatrix } from './permission-matrix.tsx';
import styles from './roles.module.css';

/** Role in the drawer: an existing role, a copy of a role, or a new role if empty. */
export type Edited = { role?: Role; isCopy?: boolean };

type Props = { edited: Edited | undefined; onEdit: (edited: Edited) => void; onClose: () => void };

const unsaved = {
  question: t`Leave without saving?`,
  consequence: t`Your changes to this role will be lost.`,
  verb: t`Leave`,
};

/** Drawer for a new role, a copy, or an existing role. Built-in roles are read-only. */
export function RoleDrawer({ edited, onEdit, onClose }: Props) {
  const isShownOnly = edited?.role?.builtInFor && !edited.isCopy;
  return (
    <SideDialog
      opened={edited !== undefined}
      onClose={onClose}
      position="right"
      size={620}
      title={titleOf(edited)}
      closeButtonProps={{ 'aria-label': t`Close` }}
    >
      {edited?.role && isShownOnly && <BuiltIn role={edited.role} onClone={(role) => onEdit({ role, isCopy: true })} />}
      {edited && !isShownOnly && (
        <RoleForm key={`${edited.role?.id ?? ''} ${String(edited.isCopy)}`} edited={edited} onDone={onClose} />
      )}
    </SideDialog>
  );
}

const titleOf = (edited: Edited | undefined): string => {
  if (!edited?.role) return t`Create role`;
  const { name } = edited.role;
  return edited.isCopy ? t`Copy of ${name}` : name;
};

function BuiltIn({ role, onClone }: { role: Role; onClone: (role: Role) => void }) {
  return (
    <div className={styles.form}>
      <Notice
        tone="info"
        action={
          <Button size="compact-sm" variant="default" onClick={() => onClone(role)}>
            {t`Clone`}
          </Button>
        }
      >
        {t`A built-in role cannot be changed. Clone it and edit the copy.`}
      </Notice>
      <PermissionMatrix chosen={role.permissions} />
    </div>
  );
}

function RoleForm({ edited: { role, isCopy }, onDone }: { edited: Edited; onDone: () => void }) {
  const stored = isCopy ? undefined : role;
  const [typed, setTyped] = useState({
    name: isCopy && role ? `${role.name} (copy)` : (role?.name ?? ''),
    // Does not copy the description of a built-in role, which may not fit the changed copy.
    description: role && !(isCopy && role.builtInFor) ? role.description : '',
    permissions: role?.permissions ?? [],
  });
  const [isDirty, setDirty] = useState(false);
  const save = useSavingRole(stored, onDone);
  useLeaveWarning(isDirty, unsaved);
  const change = (part: Partial<typeof typed>) => {
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
      <Textarea
        label={t`Description`}
        rows={2}
        value={typed.description}
        error={faults.description}
        onChange={(event) => change({ description: event.currentTarget.value })}
      />
      <PermissionMatrix
        chosen={typed.permissions}
        onChange={(permissions) => change({ permissions })}
        whyNot={whyNotGiven}
      />
      {save.error && !faults.name && (
        <Notice tone="danger">{faults.permissions ?? errorMessageOf(save.error, failed)}</Notice>
      )}
      <div className={styles.buttons}>
        <CancelButton onCancel={onDone} />
        <Button type="submit" loading={save.isPending}>
          {stored ? t`Save` : t`Create role`}
        </Button>
      </div>
    </form>
  );
}

const failed = t`Failed to save the role`;

const whyNotGiven = (permission: Permission): string | undefined => {
  const session = readSession();
  return session && refuseGiving(managerOf(session), [permission]);
};

type RoleFields = { name: string; description: string; permissions: Permission[] };

/** Saves a role. If users lose permissions, first shows their number and asks for confirmation. */
const useSavingRole = (stored: Role | undefined, onDone: () => void) => {
  const create = useAction(roles.create, { done: t`Role created`, failed });
  const update = useAction(roles.update, { done: t`Role saved`, failed, refreshes: ['roles', 'users'] });
  const run = async (typed: RoleFields) => {
    if (!stored) {
      create.mutate({ body: typed }, { onSuccess: onDone });
      return;
    }
    const removed = stored.permissions.filter((name) => !typed.permissions.includes(name));
    if (removed.length > 0 && stored.holders > 0 && !(await confirm(taking(stored, removed.length)))) return;
    update.mutate({ params: { id: stored.id }, body: { ...typed, revision: stored.revision } }, { onSuccess: onDone });
  };
  return { run, error: create.error ?? update.error, isPending: create.isPending || update.isPending };
};

const taking = ({ holders }: Role, rights: number) => ({
  question: t`Remove ${plural(rights, { one: '# permission', other: '# permissions' })} from ${plural(holders, { one: '# user', other: '# users' })}?`,
  consequence: <p>{t`The change applies from the next action of these users, also to their open work.`}</p>,
  verb: t`Remove permissions`,
});
