import { Button, Checkbox, NumberInput, PasswordInput, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { connectionInput, remoteStudies } from '@radwork/contract/remote-studies';
import { IconPlugConnected, IconPlugConnectedX } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { call, wordsFor } from '#core/api.ts';
import { Notice } from '#ui/notice.tsx';
import { EmptyState } from '#ui/states.tsx';
import { StatusPill } from '#ui/status-pill.tsx';
import { RemoteStudiesTable } from './remote-studies-table.tsx';
import { keysOf } from './remote-search.ts';
import styles from './remote-archives.module.css';
import { type SearchKeys, SearchKeysForm } from './search-keys.tsx';

type Connection = { id: string; server: string; address: string };

/** The DICOMWEB tab: an archive that is typed, asked and left again. Its password goes to the server and stays there. */
export function DicomwebTab() {
  const [connection, setConnection] = useState<Connection>();
  return (
    <div className={styles.tab}>
      <ConnectionForm connection={connection} onConnect={setConnection} onDisconnect={() => setConnection(undefined)} />
      {connection ? (
        <ConnectedArchive key={connection.id} connection={connection} />
      ) : (
        <EmptyState
          icon={IconPlugConnectedX}
          title="Not connected to PACS"
          detail="Connect to an archive by its host and port to search its studies and retrieve them."
        />
      )}
    </div>
  );
}

type FormProps = {
  connection: Connection | undefined;
  onConnect: (connection: Connection) => void;
  onDisconnect: () => void;
};

function ConnectionForm({ connection, onConnect, onDisconnect }: FormProps) {
  const form = useForm({
    initialValues: { host: '', port: 8042, path: '/dicom-web', isTls: false, username: '', password: '' },
    validate: schemaResolver(connectionInput, { sync: true }),
  });
  const connect = useMutation({
    mutationFn: (body: typeof form.values) => call(remoteStudies.connect, { body }),
    onSuccess: ({ id, server }, { host, port }) => {
      form.setFieldValue('password', '');
      onConnect({ id, server, address: `${host}:${port}` });
    },
  });

  if (connection) {
    return (
      <div className={styles.connected} role="status">
        <StatusPill tone="success" label="Connected" />
        <span>
          {connection.address}
          {connection.server && <span className="muted"> {connection.server}</span>}
        </span>
        <Button size="xs" variant="default" onClick={onDisconnect}>
          Disconnect
        </Button>
      </div>
    );
  }
  return (
    <form className={styles.connection} noValidate onSubmit={form.onSubmit((values) => connect.mutate(values))}>
      <TextInput label="Host" withAsterisk placeholder="pacs.example.org" {...form.getInputProps('host')} />
      <NumberInput
        label="Port"
        withAsterisk
        hideControls
        allowDecimal={false}
        allowNegative={false}
        {...form.getInputProps('port')}
      />
      <TextInput label="Path" {...form.getInputProps('path')} />
      <TextInput label="User name" autoComplete="off" {...form.getInputProps('username')} />
      <PasswordInput label="Password" autoComplete="off" {...form.getInputProps('password')} />
      <div className={styles.connect}>
        <Checkbox label="TLS" {...form.getInputProps('isTls', { type: 'checkbox' })} />
        <Button type="submit" loading={connect.isPending} leftSection={<IconPlugConnected size={16} />}>
          Connect
        </Button>
      </div>
      {connect.error && (
        <div className={styles.wide}>
          <Notice tone="danger">{connectFailure(connect.error)}</Notice>
        </div>
      )}
    </form>
  );
}

const failedToConnect = 'Failed to connect to PACS: ';

const connectFailure = (error: Error): string => {
  const words = wordsFor(error, error.message);
  return words.startsWith(failedToConnect) ? words : `${failedToConnect}${words}`;
};

function ConnectedArchive({ connection: { id } }: { connection: Connection }) {
  const search = useMutation({
    mutationFn: (keys: SearchKeys) => call(remoteStudies.search, { query: { configId: id, ...keysOf(keys) } }),
  });
  return (
    <>
      <SearchKeysForm keys={{}} isSearching={search.isPending} onSearch={search.mutate} />
      {search.error && (
        <div className={styles.notice}>
          <Notice tone="danger">Query failed: {wordsFor(search.error, search.error.message)}</Notice>
        </div>
      )}
      {search.data && (
        <RemoteStudiesTable configId={id} found={search.data} isSearching={search.isPending} verb="Retrieve" />
      )}
      <p className={styles.hint}>
        What is retrieved goes on when you leave this screen. <Link to="/queue-jobs">Import jobs</Link> shows all of it.
      </p>
    </>
  );
}
