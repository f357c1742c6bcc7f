import { t } from '@lingui/core/macro';
import { ActionIcon, Tooltip } from '@mantine/core';
import { managerOf, refuseManaging, refuseRights } from '@radwork/contract/identity/user-rights';
import type { User } from '@radwork/contract/identity/users';
import { IconKey, IconPencil, IconTrash, IconUserCheck, IconUserOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { readSession } from '#core/state/session.ts';
import { RowActions } from '#ui/tables/row-actions.tsx';
import type { UserActions } from './use-user-actions.tsx';

const icon = { size: 16, stroke: 1.6 } as const;

type Props = { user: User; onOpen: () => void; actions: UserActions };

/** Actions on one user. A disabled action shows the reason. */
export function UserRowActions({ user, onOpen, actions }: Props) {
  const session = readSession();
  if (!session) return null;
  const manager = managerOf(session);
  const [managing, rights] = [refuseManaging(manager, user), refuseRights(manager, user)];
  return (
    <RowActions>
      <Act label={t`Edit`} of={user} refusal={managing} onPress={onOpen}>
        <IconPencil {...icon} />
      </Act>
      <Act
        label={user.hasPassword ? t`Reset password` : t`Create invitation`}
        of={user}
        refusal={managing ?? (user.active ? undefined : t`Activate the user first`)}
        onPress={() => void actions.resetPassword(user)}
      >
        <IconKey {...icon} />
      </Act>
      <Act
        label={user.active ? t`Deactivate` : t`Activate`}
        of={user}
        refusal={rights}
        onPress={() => void actions.setActive(user)}
      >
        {user.active ? <IconUserOff {...icon} /> : <IconUserCheck {...icon} />}
      </Act>
      <Act label={t`Delete`} of={user} refusal={rights} onPress={() => void actions.remove(user)}>
        <IconTrash {...icon} />
      </Act>
    </RowActions>
  );
}

type ActProps = { label: string; of: User; refusal: string | undefined; onPress: () => void; children: ReactNode };

function Act({ label, of, refusal, onPress, children }: ActProps) {
  return (
    <Tooltip label={refusal ?? label}>
      <ActionIcon
        aria-label={`${label} ${of.username}`}
        aria-disabled={refusal !== undefined}
        {...(refusal !== undefined && { 'data-disabled': true })}
        onClick={() => refusal === undefined && onPress()}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
