import { t } from '@lingui/core/macro';
import { ActionIcon, Tooltip } from '@mantine/core';
import type { Tenant } from '@radwork/contract/identity/tenants';
import {
  IconDoorEnter,
  IconDownload,
  type IconProps,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { Column } from '#ui/tables/data-table.tsx';
import { formatMoment, formatSize } from '#ui/formats/formats.ts';
import { RowActions } from '#ui/tables/row-actions.tsx';
import { StatusPill } from '#ui/marks/status-pill.tsx';
import styles from './tenants.module.css';

export type TenantActs = {
  onEnter: (subdomain: string) => void;
  onEdit: (tenant: Tenant) => void;
  onSetActive: (tenant: Tenant) => void;
  onExport: (tenant: Tenant) => void;
};

export const storageOf = ({ storedBytes, storageQuotaBytes }: Pick<Tenant, 'storedBytes' | 'storageQuotaBytes'>) => {
  const used = formatSize(storedBytes);
  if (storageQuotaBytes === null) return used;
  const limit = formatSize(storageQuotaBytes);
  return t`${used} of ${limit}`;
};

export const tenantColumns = (acts: TenantActs): Column<Tenant>[] => [
  {
    id: 'name',
    header: t`Name`,
    meta: { isRowName: true, takesRest: true },
    cell: ({ row: { original } }) => (
      <span className={styles.name}>
        <strong>{original.name}</strong>
        <span className="muted">
          {original.subdomain}
          {original.isHome && <> · {t`yours`}</>}
        </span>
      </span>
    ),
  },
  {
    id: 'isActive',
    header: t`State`,
    cell: ({ row: { original } }) =>
      original.isActive ? (
        <StatusPill tone="success" label={t`Active`} />
      ) : (
        <StatusPill tone="danger" shape="ring" label={t`Suspended`} />
      ),
  },
  {
    id: 'activeUsers',
    header: t`Active users`,
    meta: { card: { label: t`Active users` } },
    cell: ({ row }) => row.original.activeUsers,
  },
  {
    id: 'superAdministrators',
    header: t`Super administrators`,
    meta: { card: { label: t`Super administrators` } },
    cell: ({ row }) => row.original.superAdministrators || <span className="muted">{t`None`}</span>,
  },
  {
    id: 'storage',
    header: t`Storage`,
    meta: { card: { label: t`Storage` } },
    cell: ({ row }) => storageOf(row.original),
  },
  {
    id: 'createdAt',
    header: t`Created`,
    meta: { card: { label: t`Created` } },
    cell: ({ row }) => formatMoment(row.original.createdAt),
  },
  {
    id: 'actions',
    header: t`Actions`,
    meta: { isTitleHidden: true },
    cell: ({ row: { original } }) => <Acts tenant={original} acts={acts} />,
  },
];

function Acts({ tenant, acts }: { tenant: Tenant; acts: TenantActs }) {
  const { name, isActive, isHome } = tenant;
  return (
    <RowActions>
      {isActive && !isHome && (
        <Act label={t`Enter ${name}`} icon={IconDoorEnter} onClick={() => acts.onEnter(tenant.subdomain)} />
      )}
      <Act label={t`Edit ${name}`} icon={IconPencil} onClick={() => acts.onEdit(tenant)} />
      <Act label={t`Export ${name}`} icon={IconDownload} onClick={() => acts.onExport(tenant)} />
      {!isHome && (
        <Act
          label={isActive ? t`Suspend ${name}` : t`Resume ${name}`}
          icon={isActive ? IconPlayerPause : IconPlayerPlay}
          onClick={() => acts.onSetActive(tenant)}
        />
      )}
    </RowActions>
  );
}

function Act({ label, icon: Icon, onClick }: { label: string; icon: ComponentType<IconProps>; onClick: () => void }) {
  return (
    <Tooltip label={label}>
      <ActionIcon size={26} aria-label={label} onClick={onClick}>
        <Icon size={16} stroke={1.6} />
      </ActionIcon>
    </Tooltip>
  );
}
