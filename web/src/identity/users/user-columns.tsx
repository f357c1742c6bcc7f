import { t } from '@lingui/core/macro';
import { builtInRoleNames } from '@radwork/contract/core/access';
import type { User } from '@radwork/contract/identity/users';
import type { Column } from '#ui/tables/data-table.tsx';
import { formatMoment } from '#ui/formats/formats.ts';
import type { UserActions } from './use-user-actions.tsx';
import { UserRowActions } from './user-row-actions.tsx';

type Options = { isSuperAdmin: boolean; onOpen: (user: User) => void; actions: UserActions };

/** Columns of the list of users. The ID of a sortable column is the sort field of the server. */
export const userColumns = ({ isSuperAdmin, onOpen, actions }: Options): Column<User>[] => [
  {
    id: 'username',
    header: t`Username`,
    meta: { sort: 'asc', isRowName: true },
    cell: ({ row }) => <strong>{row.original.username}</strong>,
  },
  { id: 'name', header: t`Name`, meta: { sort: 'asc', card: { order: 1 } }, cell: ({ row }) => row.original.name },
  {
    id: 'email',
    header: t`E-mail`,
    meta: { sort: 'asc', takesRest: true, card: { order: 2 } },
    cell: ({ row }) => <span title={row.original.email}>{row.original.email}</span>,
  },
  {
    id: 'userType',
    header: t`Type`,
    meta: { sort: 'asc', card: { order: 3 } },
    cell: ({ row }) => builtInRoleNames[row.original.userType],
  },
  {
    id: 'roles',
    header: t`Roles`,
    meta: { card: { label: t`Roles`, order: 4 } },
    cell: ({ row }) =>
      row.original.roles.map(({ name }) => name).join(', ') || <span className="muted">{t`None`}</span>,
  },
  ...(isSuperAdmin ? [tenantColumn] : []),
  {
    id: 'active',
    header: t`Active`,
    meta: { sort: 'desc', card: { isCorner: true } },
    cell: ({ row }) => activity(row.original),
  },
  {
    id: 'lastLoginAt',
    header: t`Last sign-in`,
    meta: { sort: 'desc', card: { label: t`Last sign-in`, order: 6 } },
    cell: ({ row: { original } }) =>
      original.lastLoginAt ? formatMoment(original.lastLoginAt) : <span className="muted">{t`Never`}</span>,
  },
  {
    id: 'hasSecondFactor',
    header: t`MFA`,
    meta: { card: { label: t`MFA`, order: 7 } },
    cell: ({ row }) => (row.original.hasSecondFactor ? t`On` : <span className="muted">{t`Off`}</span>),
  },
  {
    id: 'actions',
    header: t`Actions`,
    meta: { isTitleHidden: true, card: { order: 8 } },
    cell: ({ row: { original } }) => (
      <UserRowActions user={original} onOpen={() => onOpen(original)} actions={actions} />
    ),
  },
];

const activity = ({ active, isHeld }: User) => {
  if (!active) return <span className="muted">{t`Deactivated`}</span>;
  return isHeld ? t`Yes, cannot sign` : t`Yes`;
};

const tenantColumn: Column<User> = {
  id: 'tenant',
  header: t`Organization`,
  meta: { card: { label: t`Organization`, order: 5 } },
  cell: ({ row }) => row.original.tenant.name,
};
