import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type User, users } from '@radwork/contract/users';
import { useMemo } from 'react';
import { useAction } from '#core/api.ts';
import { toast } from '#core/toasts.ts';
import { confirm } from '#ui/confirm.tsx';
import type { ToHandOver } from './link-dialog.tsx';

export type UserActions = ReturnType<typeof useUserActions>;

/** Immediate actions on a user. Each asks first and states its effect on the user. */
export const useUserActions = (onLink: (link: ToHandOver) => void) => {
  const { mutate: setStatus } = useAction(users.setStatus, { failed: t`Failed to change the user` });
  const { mutate: removeUser } = useAction(users.remove, { failed: t`Failed to delete the user` });
  const { mutate: reset } = useAction(users.resetPassword, { failed: t`Failed to make a link` });
  return useMemo(
    () => ({
      setActive: async (user: User) => {
        const { id, username, active } = user;
        const agreed = !active || (await confirm(deactivation(user)));
        if (!agreed) return;
        const done = active ? `${username} is deactivated` : `${username} can sign in again`;
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
        if (!(await confirm(removal(user)))) return;
        removeUser(
          { params: { id: user.id } },
          {
            onSuccess: ({ outcome }) =>
              toast.success(
                outcome === 'DELETED'
                  ? `${user.username} is deleted`
                  : `There are records of ${user.username}, so they are deactivated and not deleted`,
              ),
          },
        );
      },
    }),
    [setStatus, removeUser, reset, onLink],
  );
};

const deactivation = ({ username, name }: User) => ({
  question: t`Deactivate ${username}?`,
  consequence: (
    <p>
      <Trans>
        {name} is signed out everywhere at once and cannot sign in until somebody activates them again. Their reports,
        messages and history stay. What they have typed and not saved is lost. Studies that are assigned to them are
        theirs no more, and have to be assigned to somebody else.
      </Trans>
    </p>
  ),
  verb: t`Deactivate`,
});

const newLink = ({ username, hasPassword }: User) => ({
  question: hasPassword ? `Reset the password of ${username}?` : `Make a new invitation for ${username}?`,
  consequence: (
    <p>
      {t`They set a password of their own by a link that works once. A link from before works no more.`}
      {hasPassword && t` Their password stays until they have set another; then all their sessions end.`}{' '}
      {t`They cannot sign until they prove the account or a second administrator confirms it.`}
    </p>
  ),
  verb: hasPassword ? t`Make the link` : t`Make the invitation`,
  tone: 'primary' as const,
});

const removal = ({ username }: User) => ({
  question: t`Delete ${username}?`,
  consequence: (
    <p>
      {t`Somebody who was never here is deleted for good. Of whom there are records, they are kept under their name: such a user is deactivated instead, and signed out everywhere.`}
    </p>
  ),
  verb: t`Delete user`,
});
