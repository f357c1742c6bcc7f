import { Button, Tabs } from '@mantine/core';
import { type ListedConfiguration, remoteConfigurations } from '@radwork/contract/remote-configurations';
import { IconPlugConnected, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { query, useAction } from '#core/api.ts';
import { confirm } from '#ui/confirm.tsx';
import { type Column, DataTable } from '#ui/data-table.tsx';
import { formatMoment } from '#ui/formats.ts';
import { ScreenTitle } from '#ui/screen-title.tsx';
import { EmptyState, ErrorState } from '#ui/states.tsx';
import { ConfigurationDialog } from './configuration-dialog.tsx';
import { ConnectionTestPanel } from './connection-test.tsx';
import { DevicesPanel } from './devices-panel.tsx';
import styles from './remote-archives.module.css';

/** What the dialog is about: nothing, a new configuration, or the one with this id. */
type Edited = 'nothing' | 'new' | { id: string };

/** /remote-config-page: the archives that studies are imported from, and the devices that may speak DICOM with this one. */
export function ConfigurationsScreen() {
  const [edited, setEdited] = useState<Edited>('nothing');
  return (
    <>
      <ScreenTitle
        title="Remote Configurations"
        actions={
          <Button leftSection={<IconPlus size={16} />} onClick={() => setEdited('new')}>
            Add configuration
          </Button>
        }
      />
      <Tabs defaultValue="archives" className={styles.tab} keepMounted={false}>
        <Tabs.List px={16}>
          <Tabs.Tab value="archives">Archives</Tabs.Tab>
          <Tabs.Tab value="devices">DICOM devices</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="archives" className={styles.tab}>
          <Configurations onEdit={setEdited} />
        </Tabs.Panel>
        <Tabs.Panel value="devices" className={styles.tab}>
          <DevicesPanel />
        </Tabs.Panel>
      </Tabs>
      <ConfigurationDialog
        opened={edited !== 'nothing'}
        id={typeof edited === 'object' ? edited.id : undefined}
        onClose={() => setEdited('nothing')}
      />
    </>
  );
}

function Configurations({ onEdit }: { onEdit: (edited: Edited) => void }) {
  const configurations = useQuery(query(remoteConfigurations.list, {}));
  const { mutate: remove } = useAction(remoteConfigurations.remove, {
    done: 'Configuration deleted',
    failed: 'Failed to delete configuration',
  });
  const columns = useMemo(() => {
    const askToRemove = async (configuration: ListedConfiguration) => {
      const agreed = await confirm({
        question: 'Are you sure you want to delete this configuration?',
        consequence: <WhatGoes configuration={configuration} />,
        verb: 'Delete configuration',
      });
      if (agreed) remove({ params: { id: configuration.id } });
    };
    return configurationColumns((id) => onEdit({ id }), askToRemove);
  }, [onEdit, remove]);

  return (
    <DataTable
      label="configurations"
      items={configurations.data}
      idOf={({ id }) => id}
      columns={columns}
      sort=""
      onSort={() => {}}
      details={{ label: 'connection test', show: ({ id }) => <ConnectionTestPanel id={id} /> }}
      onOpen={({ id }) => onEdit({ id })}
    >
      {configurations.error && (
        <ErrorState
          failed="Failed to load configurations"
          error={configurations.error}
          onRetry={() => void configurations.refetch()}
        />
      )}
      {configurations.data?.length === 0 && (
        <EmptyState
          icon={IconPlugConnected}
          title="No archive is configured"
          detail="With the address of another archive its studies can be searched and imported."
          action={<Button onClick={() => onEdit('new')}>Add configuration</Button>}
        />
      )}
    </DataTable>
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
      <p>Its credentials are deleted with it. Studies that were imported from it stay.</p>
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
  { id: 'protocol', header: 'Protocol', cell: ({ row }) => row.original.protocol },
  {
    id: 'baseUrl',
    header: 'Address',
    meta: { takesRest: true, card: { order: 1 } },
    cell: ({ row }) => <span title={row.original.baseUrl}>{row.original.baseUrl}</span>,
  },
  {
    id: 'authType',
    header: 'Sign-in',
    meta: { card: { label: 'Sign-in', order: 2 } },
    cell: ({ row }) => row.original.authType,
  },
  {
    id: 'updatedDate',
    header: 'Changed',
    meta: { card: { label: 'Changed', order: 3 } },
    cell: ({ row }) => formatMoment(row.original.updatedDate),
  },
  {
    id: 'actions',
    header: 'Actions',
    meta: { isTitleHidden: true, card: { order: 4 } },
    cell: ({ row: { original } }) => (
      <span className={styles.importCell}>
        <Button size="compact-xs" variant="default" onClick={() => onEdit(original.id)}>
          Edit
        </Button>
        <Button size="compact-xs" variant="default" onClick={() => void onRemove(original)}>
          Delete
        </Button>
      </span>
    ),
  },
];
