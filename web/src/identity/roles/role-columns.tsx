import { plural, t } from '@lingui/core/macro';
import { ActionIcon, Tooltip } from '@mantine/core';
import { permissions } from '@radwork/contract/core/access';
import type { Role } from '@radwork/contract/identity/roles';
import { IconCopy, IconEye, IconPencil, IconTrash } from '@tabler/icons-react';
import type { Column } from '#ui/tables/data-table.tsx';
import { RowActions } from '#ui/tables/row-actions.tsx';

type Acts = { onOpen: (role: Role) => void; onClone: (role: Role) => void; onRemove: (role: Role) => void };

const icon = { size: 16, stroke: 1.6 } as const;

const permissionCountOf = (role: Role): string => {
  const [count, total] = [role.permissions.length, permissions.length];
  return t`${count} of ${total}`;
};

export const roleColumns = (acts: Acts): Column<Role>[] => [
  {
    id: 'name',
    header: t`Role`,
    meta: { isRowName: true },
    cell: ({ row }) => <strong>{row.original.name}</strong>,
  },
  {
    id: 'builtIn',
    header: t`Kind`,
    meta: { card: { isCorner: true } },
    cell: ({ row }) => (row.original.builtInFor ? t`Built-in` : t`Custom`),
  },
  {
    id: 'description',
    header: t`Description`,
    meta: { takesRest: true, card: { order: 1 } },
    cell: ({ row }) => <span title={row.original.description}>{row.original.description}</span>,
  },
  {
    id: 'permissions',
    header: t`Permissions`,
    meta: { card: { label: t`Permissions`, order: 2 } },
    cell: ({ row }) => permissionCountOf(row.original),
  },
  {
    id: 'holders',
    header: t`Users`,
    meta: { card: { label: t`Users`, order: 3 } },
    cell: ({ row }) => row.original.holders,
  },
  {
    id: 'actions',
    header: t`Actions`,
    meta: { isTitleHidden: true, card: { order: 4 } },
    cell: ({ row: { original } }) => <RoleActions role={original} {...acts} />,
  },
];

function RoleActions({ role, onOpen, onClone, onRemove }: Acts & { role: Role }) {
  const isBuiltIn = role.builtInFor !== null;
  const { name, holders } = role;
  const undeletableReason = isBuiltIn
    ? t`Built-in roles cannot be deleted`
    : t`${plural(holders, { one: '# user has this role', other: '# users have this role' })}`;
  const canGo = !isBuiltIn && role.holders === 0;
  const open = isBuiltIn ? t`View` : t`Edit`;
  return (
    <RowActions>
      <Tooltip label={open}>
        <ActionIcon aria-label={isBuiltIn ? t`View ${name}` : t`Edit ${name}`} onClick={() => onOpen(role)}>
          {isBuiltIn ? <IconEye {...icon} /> : <IconPencil {...icon} />}
        </ActionIcon>
      </Tooltip>
      <Tooltip label={t`Clone`}>
        <ActionIcon aria-label={t`Clone ${name}`} onClick={() => onClone(role)}>
          <IconCopy {...icon} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={canGo ? t`Delete` : undeletableReason}>
        <ActionIcon
          aria-label={t`Delete ${name}`}
          aria-disabled={!canGo}
          {...(!canGo && { 'data-disabled': true })}
          onClick={() => canGo && onRemove(role)}
        >
          <IconTrash {...icon} />
        </ActionIcon>
      </Tooltip>
    </RowActions>
  );
}
