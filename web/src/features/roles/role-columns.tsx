import { t } from '@lingui/core/macro';
import { ActionIcon, Tooltip } from '@mantine/core';
import { permissions } from '@radwork/contract/access';
import type { Role } from '@radwork/contract/roles';
import { IconCopy, IconEye, IconPencil, IconTrash } from '@tabler/icons-react';
import type { Column } from '#ui/data-table.tsx';
import { RowActions } from '#ui/row-actions.tsx';

type Acts = { onOpen: (role: Role) => void; onClone: (role: Role) => void; onRemove: (role: Role) => void };

const icon = { size: 16, stroke: 1.6 } as const;

export const roleColumns = (acts: Acts): Column<Role>[] => [
  {
    id: 'name',
    header: 'Role',
    meta: { isRowName: true },
    cell: ({ row }) => <strong>{row.original.name}</strong>,
  },
  {
    id: 'builtIn',
    header: 'Kind',
    meta: { card: { isCorner: true } },
    cell: ({ row }) => (row.original.builtInFor ? 'Built-in' : 'Your own'),
  },
  {
    id: 'description',
    header: 'Description',
    meta: { takesRest: true, card: { order: 1 } },
    cell: ({ row }) => <span title={row.original.description}>{row.original.description}</span>,
  },
  {
    id: 'permissions',
    header: 'Rights',
    meta: { card: { label: t`Rights`, order: 2 } },
    cell: ({ row }) => `${row.original.permissions.length} of ${permissions.length}`,
  },
  {
    id: 'holders',
    header: 'Users',
    meta: { card: { label: t`Users`, order: 3 } },
    cell: ({ row }) => row.original.holders,
  },
  {
    id: 'actions',
    header: 'Actions',
    meta: { isTitleHidden: true, card: { order: 4 } },
    cell: ({ row: { original } }) => <RoleActions role={original} {...acts} />,
  },
];

function RoleActions({ role, onOpen, onClone, onRemove }: Acts & { role: Role }) {
  const isBuiltIn = role.builtInFor !== null;
  const whyKept = isBuiltIn ? 'Built-in roles stay' : `${role.holders} users have it`;
  const canGo = !isBuiltIn && role.holders === 0;
  const open = isBuiltIn ? 'View' : 'Edit';
  return (
    <RowActions>
      <Tooltip label={open}>
        <ActionIcon aria-label={`${open} ${role.name}`} onClick={() => onOpen(role)}>
          {isBuiltIn ? <IconEye {...icon} /> : <IconPencil {...icon} />}
        </ActionIcon>
      </Tooltip>
      <Tooltip label={t`Clone`}>
        <ActionIcon aria-label={t`Clone ${role.name}`} onClick={() => onClone(role)}>
          <IconCopy {...icon} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={canGo ? t`Delete` : whyKept}>
        <ActionIcon
          aria-label={t`Delete ${role.name}`}
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
