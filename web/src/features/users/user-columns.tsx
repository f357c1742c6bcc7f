import { t } from '@lingui/core/macro';
import { builtInRoleNames } from '@radwork/contract/access';
import type { User } from '@radwork/contract/users';
import type { Column } from '#ui/data-table.tsx';
import { formatMoment } from '#ui/formats.ts';
import type { UserActions } from './use-user-actions.tsx';
import { UserRowActions } from './user-row-actions.tsx';

type Options = { isSuperAdmin: boolean; onOpen: (user: User) => void; actions: UserActions };

/** Columns of C71. The ID of a sortable column is the field that the server sorts by. */
export const userColumns = ({ isSuperAdmin, onOpen, actions }: Options): Column<User>[] => [
  {
    id: 'username',
    header: 'Username',
    meta: { sort: 'asc', isRowName: true },
    cell: ({ row }) => <strong>{row.original.username}</strong>,
  },
  { id: 'name', header: 'Name', meta: { sort: 'asc', card: { order: 1 } }, cell: ({ row }) => row.original.name },
  {
    id: 'email',
    header: 'E-mail',
    meta: { sort: 'asc', takesRest: true, card: { order: 2 } },
    cell: ({ row }) => <span title={row.original.email}>{row.original.email}</span>,
  },
  {
    id: 'userType',
    header: 'Type',
    meta: { sort: 'asc', card: { order: 3 } },
    cell: ({ row }) => builtInRoleNames[row.original.userType],
  },
  {
    id: 'roles',
    header: 'Roles',
    meta: { card: { label: t`Roles`, order: 4 } },
    cell: ({ row }) =>
      row.original.roles.map(({ name }) => name).join(', ') || <span className="muted">{t`None`}</span>,
  },
  ...(isSuperAdmin ? [tenantColumn] : []),
  {
    id: 'active',
    header: 'Active',
    meta: { sort: 'desc', card: { isCorner: true } },
    cell: ({ row }) => activity(row.original),
  },
  {
    id: 'lastLoginAt',
    header: 'Last login',
    meta: { sort: 'desc', card: { label: t`Last login`, order: 6 } },
    cell: ({ row: { original } }) =>
      original.lastLoginAt ? formatMoment(original.lastLoginAt) : <span className="muted">{t`Never`}</span>,
  },
  {
    id: 'hasSecondFactor',
    header: 'MFA',
    meta: { card: { label: 'MFA', order: 7 } },
    cell: ({ row }) => (row.original.hasSecondFactor ? 'On' : <span className="muted">{t`Off`}</span>),
  },
  {
    id: 'actions',
    header: 'Actions',
    meta: { isTitleHidden: true, card: { order: 8 } },
    cell: ({ row: { original } }) => (
      <UserRowActions user={original} onOpen={() => onOpen(original)} actions={actions} />
    ),
  },
];

const activity = ({ active, isHeld }: User) => {
  if (!active) return <span className="muted">{t`Deactivated`}</span>;
  return isHeld ? 'Yes, cannot sign' : 'Yes';
};

const tenantColumn: Column<User> = {
  id: 'tenant',
  header: 'Tenant',
  meta: { card: { label: t`Tenant`, order: 5 } },
  cell: ({ row }) => row.original.tenant.name,
};
