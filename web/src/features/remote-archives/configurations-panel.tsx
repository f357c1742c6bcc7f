import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { type ListedConfiguration, remoteConfigurations } from '@radwork/contract/remote-configurations';
import { IconPlugConnected, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { query, useAction } from '#core/api.ts';
import { confirm } from '#ui/confirm.tsx';
import { type Column, DataTable } from '#ui/data-table.tsx';
import { formatMoment } from '#ui/formats.ts';
import { EmptyState, ErrorState } from '#ui/states.tsx';
import { ConfigurationDialog } from './configuration-dialog.tsx';
import { authLabels, protocolLabels } from './configuration-labels.ts';
import { ConnectionTestPanel } from './connection-test.tsx';
import styles from './remote-archives.module.css';
import { RowActions } from './row-actions.tsx';
import { useEdited } from './use-edited.ts';

/** Lists the archives for search and import. */
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
        consequence: <WhatGoes configuration={configuration} />,
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
        <span>{t`Archives that studies are searched in and imported from.`}</span>
        <Button className={styles.atEnd} leftSection={<IconPlus size={16} aria-hidden />} onClick={add}>
          {t`Add configuration`}
        </Button>
      </div>
      <DataTable
        label="configurations"
        items={data}
        idOf={({ id }) => id}
        columns={columns}
        details={{ label: 'connection test', show: ({ id }) => <ConnectionTestPanel id={id} /> }}
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
            title={t`No archive is configured`}
            detail={t`With the address of another archive its studies can be searched and imported.`}
          />
        )}
      </DataTable>
      <ConfigurationDialog opened={opened} id={edited} onClose={close} />
    </>
  );
}

function WhatGoes({ configuration: { aeTitle, baseUrl } }: { configuration: ListedConfiguration }) {
  return (
    <>
      <p>
        <strong>{aeTitle}</strong>
        <br />
        {baseUrl}
      </p>
      <p>{t`Its credentials are deleted with it. Studies that were imported from it stay.`}</p>
    </>
  );
}

const configurationColumns = (
  onEdit: (id: string) => void,
  onRemove: (configuration: ListedConfiguration) => Promise<void>,
): Column<ListedConfiguration>[] => [
  {
    id: 'aeTitle',
    header: 'AE Title',
    meta: { isRowName: true },
    cell: ({ row }) => <strong>{row.original.aeTitle}</strong>,
  },
  { id: 'protocol', header: 'Protocol', cell: ({ row }) => protocolLabels[row.original.protocol] },
  {
    id: 'baseUrl',
    header: 'Address',
    meta: { takesRest: true, card: { order: 1 } },
    cell: ({ row }) => <span title={row.original.baseUrl}>{row.original.baseUrl}</span>,
  },
  {
    id: 'authType',
    header: 'Sign-in',
    meta: { card: { label: t`Sign-in`, order: 2 } },
    cell: ({ row: { original } }) => original.authType && authLabels[original.authType],
  },
  {
    id: 'updatedDate',
    header: 'Changed',
    meta: { card: { label: t`Changed`, order: 3 } },
    cell: ({ row }) => formatMoment(row.original.updatedDate),
  },
  {
    id: 'actions',
    header: 'Actions',
    meta: { isTitleHidden: true, card: { order: 4 } },
    cell: ({ row: { original } }) => (
      <RowActions of={original.aeTitle} onEdit={() => onEdit(original.id)} onRemove={() => void onRemove(original)} />
    ),
  },
];
