import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import {
  applicationEntities,
  type ApplicationEntity,
  readsFromAnywhere,
} from '@radwork/contract/identity/application-entities';
import { IconPlus, IconScan } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { query, useAction } from '#core/http/api.ts';
import { confirm } from '#ui/dialogs/confirm.tsx';
import { type Column, DataTable } from '#ui/tables/data-table.tsx';
import { formatMoment } from '#ui/formats/formats.ts';
import { ListNotice } from '#ui/lists/list-notice.tsx';
import { EmptyState, ErrorState } from '#ui/feedback/content-states.tsx';
import { StatusPill } from '#ui/marks/status-pill.tsx';
import { DeviceDialog } from './device-dialog.tsx';
import styles from '#imaging/remote-archives/remote-archives.module.css';
import { EditDeleteButtons } from '#imaging/remote-archives/edit-delete-buttons.tsx';
import { useEdited } from '#imaging/remote-archives/use-edited.ts';

/** Lists the devices that may send images, query the worklist or search. */
export function DevicesPanel() {
  const devices = useQuery(query(applicationEntities.list, {}));
  const { edited, opened, add, edit, close } = useEdited<ApplicationEntity>();
  const { mutate: remove } = useAction(applicationEntities.remove, {
    done: t`Device deleted`,
    failed: t`Failed to delete the device`,
  });
  const { data, error } = devices;
  const port = data?.port;
  const areCertificatesNeeded = data?.areCertificatesNeeded ?? false;
  const columns = useMemo(() => {
    const askToRemove = async (device: ApplicationEntity) => {
      const title = device.callingAeTitle;
      const agreed = await confirm({
        question: t`Are you sure you want to delete this device?`,
        consequence: (
          <p>
            <Trans>
              <strong>{title}</strong> can no longer connect. Images that the device sent stay.
            </Trans>
          </p>
        ),
        verb: t`Delete device`,
      });
      if (agreed) remove({ params: { id: device.id } });
    };
    return deviceColumns(edit, askToRemove, areCertificatesNeeded);
  }, [edit, remove, areCertificatesNeeded]);

  return (
    <>
      <div className={styles.bar}>
        <span>{port ? t`This server accepts DICOM devices on port ${port}.` : ''}</span>
        <Button className={styles.atEnd} leftSection={<IconPlus size={16} aria-hidden />} onClick={add}>
          {t`Create device`}
        </Button>
      </div>
      {data?.port === null && (
        <ListNotice tone="info">
          {t`This server does not accept DICOM devices. The operator can turn this on with the setting DIMSE_PORT.`}
        </ListNotice>
      )}
      <DataTable
        label={t`DICOM devices`}
        items={data?.entities}
        idOf={({ id }) => id}
        columns={columns}
        details={{ label: t`permissions`, show: (device) => <Rights device={device} /> }}
        onOpen={edit}
      >
        {error && !data && (
          <ErrorState failed={t`Failed to load the devices`} error={error} onRetry={() => void devices.refetch()} />
        )}
        {data?.entities.length === 0 && (
          <EmptyState
            icon={IconScan}
            title={t`No devices`}
            detail={t`A device connects with its own AE title and the called AE title.`}
          />
        )}
      </DataTable>
      <DeviceDialog opened={opened} device={edited} onClose={close} />
    </>
  );
}

const rightsOf = ({ mayStore, mayReadWorklist, mayQuery }: ApplicationEntity): string[] => [
  ...(mayStore ? [t`send images`] : []),
  ...(mayReadWorklist ? [t`read the worklist`] : []),
  ...(mayQuery ? [t`search and retrieve studies`] : []),
];

function Rights({ device }: { device: ApplicationEntity }) {
  const rights = rightsOf(device);
  const { host, port } = device;
  return (
    <dl className={styles.facts}>
      <dt>{t`Permissions`}</dt>
      <dd>{rights.length > 0 ? rights.join(', ') : t`only verification (C-ECHO)`}</dd>
      <dt>{t`Address`}</dt>
      <dd>{[host || t`Any`, port && t`port ${port}`].filter(Boolean).join(', ')}</dd>
    </dl>
  );
}

type Door = { device: ApplicationEntity; areCertificatesNeeded: boolean };

/**
 * Shows from which address a device may search or query the worklist. Marks devices identified only by their AE title.
 */
function ReadsFrom({ device, areCertificatesNeeded }: Door) {
  if (!device.mayQuery && !device.mayReadWorklist) return <span className="muted">{t`Nothing`}</span>;
  if (!readsFromAnywhere(device)) return device.host;
  if (areCertificatesNeeded) return t`With a certificate`;
  return device.mayAskFromAnywhere ? (
    <StatusPill tone="warning" label={t`Any address`} />
  ) : (
    <StatusPill tone="danger" shape="ring" label={t`Address required`} />
  );
}

const deviceColumns = (
  onEdit: (device: ApplicationEntity) => void,
  onRemove: (device: ApplicationEntity) => Promise<void>,
  areCertificatesNeeded: boolean,
): Column<ApplicationEntity>[] => [
  {
    id: 'callingAeTitle',
    header: t`AE title`,
    meta: { isRowName: true },
    cell: ({ row }) => <strong>{row.original.callingAeTitle}</strong>,
  },
  {
    id: 'calledAeTitle',
    header: t`Called AE title`,
    meta: { card: { label: t`Called AE title` } },
    cell: ({ row }) => row.original.calledAeTitle,
  },
  {
    id: 'isActive',
    header: t`State`,
    cell: ({ row: { original } }) =>
      original.isActive ? (
        <StatusPill tone="success" label={t`Active`} />
      ) : (
        <StatusPill tone="secondary" shape="ring" label={t`Inactive`} />
      ),
  },
  {
    id: 'reads',
    header: t`Reads from`,
    meta: { card: { label: t`Reads from` } },
    cell: ({ row: { original } }) => <ReadsFrom device={original} areCertificatesNeeded={areCertificatesNeeded} />,
  },
  {
    id: 'description',
    header: t`Description`,
    meta: { takesRest: true, card: { order: 1 } },
    cell: ({ row: { original } }) =>
      original.description && <span title={original.description}>{original.description}</span>,
  },
  {
    id: 'lastSeenDate',
    header: t`Last seen`,
    meta: { card: { label: t`Last seen`, order: 2 } },
    cell: ({ row }) => formatMoment(row.original.lastSeenDate) || <span className="muted">{t`Never`}</span>,
  },
  {
    id: 'actions',
    header: t`Actions`,
    meta: { isTitleHidden: true, card: { order: 3 } },
    cell: ({ row: { original } }) => (
      <EditDeleteButtons
        of={original.callingAeTitle}
        onEdit={() => onEdit(original)}
        onRemove={() => void onRemove(original)}
      />
    ),
  },
];
