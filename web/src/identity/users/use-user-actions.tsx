import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type User, users } from '@radwork/contract/identity/users';
import { useMemo } from 'react';
import { useAction } from '#core/http/api.ts';
import { toast } from '#core/browser/toasts.ts';
import { confirm } from '#ui/dialogs/confirm.tsx';
import type { CreatedPasswordLink } from './password-link-dialog.tsx';

export type UserActions = ReturnType<typeof useUserActions>;

/** Actions on a user that apply at once. Each action first states its effect and asks for confirmation. */
export const useUserActions = (onLink: (link: CreatedPasswordLink) => void) => {
  const { mutate: setStatus } = useAction(users.setStatus, { failed: t`Failed to change the user` });
  const { mutate: removeUser } = useAction(users.remove, { failed: t`Failed to delete the user` });
  const { mutate: reset } = useAction(users.resetPassword, { failed: t`Failed to create a link` });
  return useMemo(
    () => ({
      setActive: async (user: User) => {
        const { id, name, active } = user;
        const agreed = !active || (await confirm(deactivation(user)));
        if (!agreed) return;
        const done = active ? t`${name} deactivated` : t`${name} activated`;
        setStatus({ params: { id }, body: { active: !active } }, { onSuccess: () => toast.success(done) });
      },
      resetPassword: async (user: User) => {
        if (!(await confirm(newLink(user)))) return;
        reset(
          { params: { id: user.id } },
          { onSuccess: (link) => onLink({ ...link, username: user.username, isInvitation: !user.hasPassword }) },
        );
      },
      remove: async (user: User) => {
        const { name } = user;
        if (!(await confirm(removal(user)))) return;
        removeUser(
          { params: { id: user.id } },
          {
            onSuccess: ({ outcome }) =>
              toast.success(
                outcome === 'DELETED'
                  ? t`${name} deleted`
                  : t`${name} has records and was deactivated instead of deleted`,
              ),
          },
        );
      },
    }),
    [setStatus, removeUser, reset, onLink],
  );
};

const deactivation = ({ name, username }: User) => ({
  question: t`Deactivate ${name} (${username})?`,
  consequence: (
    <p>
      <Trans>
        {name} is signed out everywhere now and cannot sign in until an administrator activates the account. Reports,
        messages and history stay. Unsaved changes are lost. Assigned studies lose this assignment and need another
        assignee.
      </Trans>
    </p>
  ),
  verb: t`Deactivate`,
});

const newLink = ({ name, username, hasPassword }: User) => ({
  question: hasPassword
    ? t`Reset the password of ${name} (${username})?`
    : t`Create an invitation for ${name} (${username})?`,
  consequence: (
    <p>
      {t`The user sets a password with a link that works once. Earlier links stop working.`}
      {hasPassword && (
        <> {t`The current password works until the user sets a new password. All sessions end then.`}</>
      )}{' '}
      {t`The user cannot sign until the user or a second administrator confirms the account.`}
    </p>
  ),
  verb: hasPassword ? t`Reset password` : t`Create invitation`,
  tone: 'primary' as const,
});

const removal = ({ name, username }: User) => ({
  question: t`Delete ${name} (${username})?`,
  consequence: (
    <p>
      {t`A user without records is deleted and cannot be restored. A user with records is deactivated and signed out everywhere instead, and the records keep the name.`}
    </p>
  ),
  verb: t`Delete user`,
});
