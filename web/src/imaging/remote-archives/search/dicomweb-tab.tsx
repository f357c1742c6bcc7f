import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { IconCloudSearch, IconListCheck, IconPlugConnectedX } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { errorMessageOf } from '#core/http/api.ts';
import { ListNotice } from '#ui/lists/list-notice.tsx';
import { EmptyState } from '#ui/feedback/content-states.tsx';
import { StatusPill } from '#ui/marks/status-pill.tsx';
import { searchArchive } from './search-archive.ts';
import { type Connection, ConnectionForm } from './connection-form.tsx';
import { RemoteStudiesTable } from './remote-studies-table.tsx';
import styles from '#imaging/remote-archives/remote-archives.module.css';
import { type SearchKeys, SearchKeysForm } from './search-keys.tsx';

/** DICOMWEB tab: the user enters an archive, connects, searches and disconnects. The password stays on the server. */
export function DicomwebTab() {
  const [last, setLast] = useState<Connection>();
  const [isConnected, setConnected] = useState(false);
  if (last && isConnected) {
    return (
      <div className={styles.dicomweb}>
        <ConnectedArchive connection={last} onDisconnect={() => setConnected(false)} />
      </div>
    );
  }
  return (
    <div className={styles.dicomweb}>
      <ConnectionForm
        lastPlace={last?.place}
        onConnect={(connection) => {
          setLast(connection);
          setConnected(true);
        }}
      />
      <EmptyState
        icon={IconPlugConnectedX}
        title={t`Not connected to PACS`}
        detail={t`Connect to an archive to search and retrieve its studies.`}
      />
    </div>
  );
}

type Props = { connection: Connection; onDisconnect: () => void };

const queryFailure = (error: Error): string => {
  const message = errorMessageOf(error, error.message);
  return t`Query failed: ${message}`;
};

function ConnectedArchive({ connection, onDisconnect }: Props) {
  const search = useMutation({
    mutationFn: (keys: SearchKeys) => searchArchive({ configId: connection.id, ...keys }),
  });
  return (
    <>
      <ConnectionBar connection={connection} onDisconnect={onDisconnect} />
      <SearchKeysForm keys={noKeys} isSearching={search.isPending} onSearch={search.mutate} takesFocus />
      {search.error && <ListNotice tone="danger">{queryFailure(search.error)}</ListNotice>}
      {search.isIdle && (
        <EmptyState
          icon={IconCloudSearch}
          title={t`No search yet`}
          detail={t`Fill in at least one search field, such as the beginning of a name. Retrieval continues when you leave this screen.`}
        />
      )}
      {(search.data ?? search.isPending) && (
        <RemoteStudiesTable
          key={search.submittedAt}
          configId={connection.id}
          results={search.data}
          isSearching={search.isPending}
          verb="RETRIEVE"
        />
      )}
    </>
  );
}

const noKeys: SearchKeys = {};

function ConnectionBar({ connection: { place, server }, onDisconnect }: Props) {
  return (
    <div className={styles.connected}>
      <span className={styles.outcome} role="status">
        <StatusPill tone="success" label={t`Connected`} />
        <span>
          {place.host}:{place.port}
          {server && <span className="muted"> {server}</span>}
        </span>
      </span>
      <Button
        variant="default"
        leftSection={<IconListCheck size={16} aria-hidden />}
        renderRoot={(props) => <Link to="/queue-jobs" preload="intent" {...props} />}
      >
        {t`Import jobs`}
      </Button>
      <Button variant="default" onClick={onDisconnect}>
        {t`Disconnect`}
      </Button>
    </div>
  );
}
