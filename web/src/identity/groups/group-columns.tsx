import { t } from '@lingui/core/macro';
import { ActionIcon, Tooltip } from '@mantine/core';
import { type Group, groupKindLabels } from '@radwork/contract/identity/groups';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import type { Column } from '#ui/tables/data-table.tsx';
import { RowActions } from '#ui/tables/row-actions.tsx';

type Acts = { onOpen: (group: Group) => void; onRemove: (group: Group) => void };

const icon = { size: 16, stroke: 1.6 } as const;

export const groupColumns = (acts: Acts): Column<Group>[] => [
  {
    id: 'name',
    header: t`Group`,
    meta: { isRowName: true },
    cell: ({ row }) => <strong>{row.original.name}</strong>,
  },
  {
    id: 'kind',
    header: t`Kind`,
    meta: { card: { isCorner: true } },
    cell: ({ row }) => groupKindLabels[row.original.kind],
  },
  {
    id: 'isLimiting',
    header: t`Members see`,
    meta: { takesRest: true, card: { label: t`Members see`, order: 1 } },
    cell: ({ row }) =>
      row.original.isLimiting ? t`Studies of own groups` : <span className="muted">{t`Not limited by the group`}</span>,
  },
  {
    id: 'memberCount',
    header: t`Members`,
    meta: { card: { label: t`Members`, order: 2 } },
    cell: ({ row }) => row.original.memberCount,
  },
  {
    id: 'actions',
    header: t`Actions`,
    meta: { isTitleHidden: true, card: { order: 3 } },
    cell: ({ row: { original } }) => <GroupActions group={original} {...acts} />,
  },
];

function GroupActions({ group, onOpen, onRemove }: Acts & { group: Group }) {
  const { name } = group;
  return (
    <RowActions>
      <Tooltip label={t`Edit`}>
        <ActionIcon aria-label={t`Edit ${name}`} onClick={() => onOpen(group)}>
          <IconPencil {...icon} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={t`Delete`}>
        <ActionIcon aria-label={t`Delete ${name}`} onClick={() => onRemove(group)}>
          <IconTrash {...icon} />
        </ActionIcon>
      </Tooltip>
    </RowActions>
  );
}
