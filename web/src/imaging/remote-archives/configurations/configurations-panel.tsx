import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { type ListedConfiguration, remoteConfigurations } from '@radwork/contract/imaging/remote-archives';
import { IconPlugConnected, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { query, useAction } from '#core/http/api.ts';
import { confirm } from '#ui/dialogs/confirm.tsx';
import { type Column, DataTable } from '#ui/tables/data-table.tsx';
import { formatMoment } from '#ui/formats/formats.ts';
import { EmptyState, ErrorState } from '#ui/feedback/content-states.tsx';
import { ConfigurationDialog } from './configuration-dialog.tsx';
import { authLabels, protocolLabels } from './configuration-labels.ts';
import { ConnectionTestPanel } from './connection-test.tsx';
import styles from '#imaging/remote-archives/remote-archives.module.css';
import { EditDeleteButtons } from '#imaging/remote-archives/edit-delete-buttons.tsx';
import { useEdited } from '#imaging/remote-archives/use-edited.ts';

/** Lists the remote archives that users can search and import from. */
export function ConfigurationsPanel() {
  const { edited, opened, add, edit, close } = useEdited<string>();
  const configurations = useQuery(query(remoteConfigurations.list, {}));
  const { mutate: remove } = useAction(remoteConfigurations.remove, {
    done: t`Configuration deleted`,
    failed: t`Failed to delete configuration`,
  });
  const columns = useMemo(() => {
    const askToRemove = async (configuration: ListedConfiguration) => {
      const agreed = await confirm({
        question: t`Are you sure you want to delete this configuration?`,
        consequence: <DeletionConsequences configuration={configuration} />,
        verb: t`Delete configuration`,
      });
      if (agreed) remove({ params: { id: configuration.id } });
    };
    return configurationColumns(edit, askToRemove);
  }, [edit, remove]);
  const { data, error } = configurations;

  return (
    <>
      <div className={styles.bar}>
        <span>{t`Archives for searching and importing studies`}</span>
        <Button className={styles.atEnd} leftSection={<IconPlus size={16} aria-hidden />} onClick={add}>
          {t`Create configuration`}
        </Button>
      </div>
      <DataTable
        label={t`configurations`}
        items={data}
        idOf={({ id }) => id}
        columns={columns}
        details={{ label: t`connection test`, show: ({ id }) => <ConnectionTestPanel id={id} /> }}
        onOpen={({ id }) => edit(id)}
      >
        {error && !data && (
          <ErrorState
            failed={t`Failed to load configurations`}
            error={error}
            onRetry={() => void configurations.refetch()}
          />
        )}
        {data?.length === 0 && (
          <EmptyState
            icon={IconPlugConnected}
            title={t`No archives configured`}
            detail={t`Create a configuration to search and import studies of an archive.`}
          />
        )}
      </DataTable>
      <ConfigurationDialog opened={opened} id={edited} onClose={close} />
    </>
  );
}

function DeletionConsequences({ configuration: { aeTitle, baseUrl } }: { configuration: ListedConfiguration }) {
  return (
    <>
      <p>
        <strong>{aeTitle}</strong>
        <br />
        {baseUrl}
      </p>
      <p>{t`This also deletes its credentials. Imported studies stay.`}</p>
    </>
  );
}

const configurationColumns = (
  onEdit: (id: string) => void,
  onRemove: (configuration: ListedConfiguration) => Promise<void>,
): Column<ListedConfiguration>[] => [
  {
    id: 'aeTitle',
    header: t`AE title`,
    meta: { isRowName: true },
    cell: ({ row }) => <strong>{row.original.aeTitle}</strong>,
  },
  { id: 'protocol', header: t`Protocol`, cell: ({ row }) => protocolLabels[row.original.protocol] },
  {
    id: 'baseUrl',
    header: t`Address`,
    meta: { takesRest: true, card: { order: 1 } },
    cell: ({ row }) => <span title={row.original.baseUrl}>{row.original.baseUrl}</span>,
  },
  {
    id: 'authType',
    header: t`Sign-in`,
    meta: { card: { label: t`Sign-in`, order: 2 } },
    cell: ({ row: { original } }) => original.authType && authLabels[original.authType],
  },
  {
    id: 'updatedDate',
    header: t`Last changed`,
    meta: { card: { label: t`Last changed`, order: 3 } },
    cell: ({ row }) => formatMoment(row.original.updatedDate),
  },
  {
    id: 'actions',
    header: t`Actions`,
    meta: { isTitleHidden: true, card: { order: 4 } },
    cell: ({ row: { original } }) => (
      <EditDeleteButtons
        of={original.aeTitle}
        onEdit={() => onEdit(original.id)}
        onRemove={() => void onRemove(original)}
      />
    ),
  },
];
