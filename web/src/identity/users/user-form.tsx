import { t } from '@lingui/core/macro';
import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { builtInRoleNames, type Permission, type UserType } from '@radwork/contract/core/access';
import { givableTypes, managerOf, refuseGiving, unfitFor } from '@radwork/contract/identity/user-rights';
import { type RoleChoice, type User, users } from '@radwork/contract/identity/users';
import { useEffect, useRef, useState } from 'react';
import { useAction, errorMessageOf } from '#core/http/api.ts';
import { readSession } from '#core/state/session.ts';
import { confirm } from '#ui/dialogs/confirm.tsx';
import { CancelButton } from '#ui/dialogs/dialog-form.tsx';
import { fieldErrorsOf, isShownAtFields } from '#ui/forms/field-errors.ts';
import { Notice } from '#ui/feedback/notice.tsx';
import { useFirstFocus } from '#ui/dialogs/use-first-focus.ts';
import { useLeaveWarning } from '#ui/dialogs/use-leave-warning.ts';
import type { CreatedPasswordLink } from './password-link-dialog.tsx';
import { type UserFields, type UserFormState, useUserForm } from './use-user-form.ts';
import styles from './users.module.css';
import { PermissionSummary } from './permission-summary.tsx';

type Props = {
  stored: User | undefined;
  choices: readonly RoleChoice[];
  onClose: () => void;
  onLink?: (link: CreatedPasswordLink) => void;
};

/** Form of a user. Shows the resulting permissions before saving. */
export function UserForm({ stored: known, choices, onClose, onLink }: Props) {
  // User when the form opened. With a newer revision, a save would overwrite the changes of other users.
  const [stored] = useState(known);
  const form = useUserForm(stored, choices);
  const save = useSaving(stored, form, onLink);
  useLeaveWarning(form.isDirty() && !save.isDone, {
    question: t`Leave without saving?`,
    consequence: t`Your changes to this user will be lost.`,
    verb: t`Leave`,
  });
  const first = useFirstFocus();
  const isClosing = useRef(false);
  // Closes the form only after the leave warning is gone, because closing changes the address.
  useEffect(() => {
    if (!save.isDone || isClosing.current) return;
    isClosing.current = true;
    onClose();
  }, [save.isDone, onClose]);
  const selectedRoles = choices.filter(({ id }) => form.values.roles.includes(id));
  const permissions: Permission[] = [...new Set(selectedRoles.flatMap((role) => role.permissions))];
  return (
    <form
      ref={first}
      className={styles.form}
      noValidate
      onSubmit={form.onSubmit((values) => void save.run(values), form.toFirstFault)}
    >
      <Profile form={form} />
      <Rights form={form} choices={choices} stored={stored} />
      <section className={styles.wide}>
        <h3>{t`Permissions`}</h3>
        <PermissionSummary permissions={permissions} />
      </section>
      {!stored && (
        <Checkbox
          className={styles.wide}
          label={t`Send an invitation to set a password`}
          description={t`Not required for users who sign in only with single sign-on.`}
          {...form.getInputProps('isInvited', { type: 'checkbox' })}
        />
      )}
      {save.error && !isShownAtFields(save.error) && (
        <div className={styles.wide}>
          <Notice tone="danger">{errorMessageOf(save.error, failed)}</Notice>
        </div>
      )}
      <div className={styles.buttons}>
        <CancelButton onCancel={onClose} />
        <Button type="submit" loading={save.isPending}>
          {stored ? t`Save` : t`Create user`}
        </Button>
      </div>
    </form>
  );
}

const failed = t`Failed to save the user`;

function Profile({ form }: { form: UserFormState }) {
  return (
    <>
      <TextInput
        label={t`Username`}
        withAsterisk
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('username')}
      />
      <TextInput label={t`Name`} withAsterisk autoComplete="off" {...form.getInputProps('name')} />
      <TextInput
        className={styles.wide}
        label={t`Credentials`}
        description={t`Shown after the name, such as MD, FACR.`}
        autoComplete="off"
        maxLength={60}
        {...form.getInputProps('credentials')}
      />
      <TextInput
        className={styles.wide}
        label={t`E-mail`}
        type="email"
        withAsterisk
        autoComplete="off"
        {...form.getInputProps('email')}
      />
      <TextInput label={t`Specialization`} {...form.getInputProps('specialization')} />
      <TextInput label={t`Department`} {...form.getInputProps('department')} />
    </>
  );
}

function Rights({
  form,
  choices,
  stored,
}: {
  form: UserFormState;
  choices: readonly RoleChoice[];
  stored: User | undefined;
}) {
  const session = readSession();
  if (!session) return null;
  const manager = managerOf(session);
  const whyNot = ({ id, permissions }: RoleChoice): string | undefined => {
    const isHeld = stored?.roles.some((role) => role.id === id);
    return unfitFor(form.values.userType, permissions) ?? (isHeld ? undefined : refuseGiving(manager, permissions));
  };
  return (
    <>
      <NativeSelect
        className={styles.wide}
        label={t`Type`}
        withAsterisk
        data={givableTypes(manager).map((value) => ({ value, label: builtInRoleNames[value] }))}
        value={form.values.userType}
        error={form.errors.userType}
        onChange={(event) => form.chooseType(event.currentTarget.value as UserType)}
      />
      <Checkbox.Group className={styles.wide} label={t`Roles`} withAsterisk {...form.getInputProps('roles')}>
        <div className={styles.roles}>
          {choices.map((choice) => {
            const refusal = whyNot(choice);
            const isChosen = form.values.roles.includes(choice.id);
            return (
              <Checkbox
                key={choice.id}
                value={choice.id}
                label={choice.name}
                description={refusal}
                // A role that no longer fits can be removed but not added.
                disabled={refusal !== undefined && !isChosen}
              />
            );
          })}
        </div>
      </Checkbox.Group>
    </>
  );
}

/** Creates or updates a user. First warns if new permissions end the user's sessions. */
const useSaving = (stored: User | undefined, form: UserFormState, onLink?: (link: CreatedPasswordLink) => void) => {
  const create = useAction(users.create, { done: t`User created`, failed });
  const update = useAction(users.update, { done: t`User saved`, failed });
  const onError = (error: Error) => form.setErrors(fieldErrorsOf(error));
  const run = async ({ isInvited, ...values }: UserFields) => {
    if (!stored) {
      create.mutate(
        { body: { ...values, isInvited } },
        {
          onSuccess: ({ user, invitation }) => {
            if (invitation) onLink?.({ ...invitation, username: user.username, isInvitation: true });
          },
          onError,
        },
      );
      return;
    }
    const hasNewRights =
      values.userType !== stored.userType ||
      values.roles.toSorted().join() !==
        stored.roles
          .map(({ id }) => id)
          .toSorted()
          .join();
    if (hasNewRights && stored.hasPassword && !(await confirm(newRights(stored)))) return;
    update.mutate({ params: { id: stored.id }, body: { ...values, revision: stored.revision } }, { onError });
  };
  return {
    run,
    error: create.error ?? update.error,
    isPending: create.isPending || update.isPending,
    isDone: create.isSuccess || update.isSuccess,
  };
};

const newRights = ({ name }: User) => ({
  question: t`Change permissions?`,
  consequence: <p>{t`${name} is signed out everywhere. The new permissions apply at the next sign-in.`}</p>,
  verb: t`Change permissions`,
});
