import { t } from '@lingui/core/macro';
import { managerOf, refuseManaging } from '@radwork/contract/identity/user-rights';
import { users } from '@radwork/contract/identity/users';
import { useQuery } from '@tanstack/react-query';
import { query } from '#core/http/api.ts';
import { readSession } from '#core/state/session.ts';
import { SideDialog } from '#ui/dialogs/dialog.tsx';
import { Notice } from '#ui/feedback/notice.tsx';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import type { CreatedPasswordLink } from './password-link-dialog.tsx';
import { UserAccess } from './user-access.tsx';
import { UserForm } from './user-form.tsx';
import { PermissionSummary } from './permission-summary.tsx';

type Props = {
  opened: boolean;
  /** ID of the user to edit; undefined for a new user. */
  id: string | undefined;
  onClose: () => void;
  onLink: (link: CreatedPasswordLink) => void;
};

/** Drawer that creates or edits a user. */
export function UserDrawer({ opened, id, onClose, onLink }: Props) {
  return (
    <SideDialog
      opened={opened}
      onClose={onClose}
      position="right"
      size={520}
      title={id ? t`User` : t`Create user`}
      closeButtonProps={{ 'aria-label': t`Close` }}
    >
      {opened &&
        (id ? <Stored id={id} onClose={onClose} onLink={onLink} /> : <New onClose={onClose} onLink={onLink} />)}
    </SideDialog>
  );
}

function New({ onClose, onLink }: Pick<Props, 'onClose' | 'onLink'>) {
  const roles = useQuery(query(users.roleChoices, {}));
  if (roles.error) return <ErrorState failed={t`Failed to load roles`} error={roles.error} />;
  if (!roles.data) return <Skeleton lines={8} />;
  return <UserForm stored={undefined} choices={roles.data} onClose={onClose} onLink={onLink} />;
}

function Stored({ id, onClose, onLink }: { id: string } & Pick<Props, 'onClose' | 'onLink'>) {
  const roles = useQuery(query(users.roleChoices, {}));
  const user = useQuery({
    ...query(users.get, { params: { id } }),
    // The user is never refetched, because a refetch would overwrite the input.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const error = user.error ?? roles.error;
  if (error && !user.data) {
    return <ErrorState failed={t`Failed to load the user`} error={error} onRetry={() => void user.refetch()} />;
  }
  if (!user.data || !roles.data) return <Skeleton lines={8} />;
  const session = readSession();
  const refusal = session && refuseManaging(managerOf(session), user.data);
  if (refusal) {
    return (
      <>
        <h2>{user.data.name}</h2>
        <p>{user.data.username}</p>
        <Notice tone="info">{refusal}</Notice>
        <h3>{t`Permissions`}</h3>
        <PermissionSummary permissions={user.data.permissions} />
      </>
    );
  }
  return (
    <>
      <UserForm key={user.data.id} stored={user.data} choices={roles.data} onClose={onClose} />
      <UserAccess user={user.data} onClose={onClose} onLink={onLink} />
    </>
  );
}
