import { t } from '@lingui/core/macro';
import { Button, NativeSelect } from '@mantine/core';
import { type ListedConfiguration, remoteConfigurations } from '@radwork/contract/imaging/remote-archives';
import { remoteStudies } from '@radwork/contract/imaging/remote-studies';
import { IconCloudSearch, IconListCheck, IconPlugConnectedX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { query } from '#core/http/api.ts';
import { usePreference } from '#core/state/preferences.ts';
import { may } from '#core/state/session.ts';
import { ScreenTitle } from '#ui/layout/screen-title.tsx';
import { EmptyState, ErrorState } from '#ui/feedback/content-states.tsx';
import { searchArchive } from './search-archive.ts';
import { protocolLabels } from '#imaging/remote-archives/configurations/configuration-labels.ts';
import { RemoteStudiesTable } from './remote-studies-table.tsx';
import { keysOf, type RemoteSearch } from './remote-search.ts';
import styles from '#imaging/remote-archives/forms.module.css';
import { type SearchKeys, SearchKeysForm } from './search-keys.tsx';

const route = getRouteApi('/signed-in/shell/stydys-search');

/** Screen /stydys-search: searches studies in a remote archive and imports them. */
export function RemoteSearchScreen() {
  return (
    <>
      <ScreenTitle title={t`Remote Studies Search`} actions={<JobsLink />} />
      <Configured />
    </>
  );
}

function JobsLink() {
  return (
    <Button
      variant="default"
      leftSection={<IconListCheck size={16} />}
      renderRoot={(props) => <Link to="/queue-jobs" preload="intent" {...props} />}
    >
      {t`Import jobs`}
    </Button>
  );
}

function Configured() {
  const configurations = useQuery(query(remoteConfigurations.list, {}));
  if (configurations.error) {
    return (
      <ErrorState
        failed={t`Failed to load configurations`}
        error={configurations.error}
        onRetry={() => void configurations.refetch()}
      />
    );
  }
  if (configurations.data?.length === 0) return <NoConfigurations />;
  return <Search configurations={configurations.data ?? []} />;
}

function NoConfigurations() {
  const isAdministrator = may(remoteConfigurations.create);
  return (
    <EmptyState
      icon={IconPlugConnectedX}
      title={t`No archives configured`}
      detail={
        isAdministrator
          ? t`Create a configuration to search and import studies of an archive.`
          : t`Ask an administrator to configure an archive.`
      }
      action={
        isAdministrator && (
          <Button
            renderRoot={(props) => <Link to="/remote-config-page" {...props} />}
          >{t`Create configuration`}</Button>
        )
      }
    />
  );
}

function Search({ configurations }: { configurations: readonly ListedConfiguration[] }) {
  const search = route.useSearch();
  const navigate = useNavigate();
  const { configId: searched, ...keys } = search;
  const { configId, choose, remember } = useChosenConfiguration(searched, configurations);
  const [isMissing, setMissing] = useState(false);
  const results = useRemoteSearch(search);

  const start = (next: SearchKeys) => {
    setMissing(configId === '');
    if (configId === '') return;
    remember(configId);
    const nextSearch = { configId, ...next };
    // Fetches again even for the same search, because the archive may have new studies.
    if (JSON.stringify(keysOf(nextSearch)) === JSON.stringify(keysOf(keys)) && configId === searched)
      void results.refetch();
    else void navigate({ to: '/stydys-search', search: nextSearch });
  };

  return (
    <>
      <SearchKeysForm keys={keys} isSearching={results.isFetching} onSearch={start}>
        <NativeSelect
          size="xs"
          className={styles.archive}
          aria-label={t`Configuration`}
          value={configId}
          error={isMissing && t`Please select a configuration`}
          onChange={(event) => {
            choose(event.currentTarget.value);
            setMissing(false);
          }}
          data={[
            { value: '', label: t`Select a configuration` },
            ...configurations.map(({ id, aeTitle, protocol }) => ({
              value: id,
              label: `${aeTitle} (${protocolLabels[protocol]})`,
            })),
          ]}
        />
      </SearchKeysForm>
      {!searched && (
        <EmptyState
          icon={IconCloudSearch}
          title={t`No search yet`}
          detail={t`Choose an archive and fill in at least one search field, such as the beginning of a name.`}
        />
      )}
      {searched && results.error && (
        <ErrorState failed={t`Failed to search studies`} error={results.error} onRetry={() => void results.refetch()} />
      )}
      {searched && !results.error && (
        <RemoteStudiesTable
          key={JSON.stringify(search)}
          configId={searched}
          results={results.data}
          isSearching={results.isFetching}
          verb="IMPORT"
        />
      )}
    </>
  );
}

/** Returns the archive to search: the archive in the address, or else the archive last used in this browser. */
const useChosenConfiguration = (searched: string | undefined, configurations: readonly ListedConfiguration[]) => {
  const [last, remember] = usePreference('remote-search.configuration', ['', ...configurations.map(({ id }) => id)]);
  const [state, setState] = useState<{ searched: string | undefined; chosen?: string }>({ searched });
  if (state.searched !== searched) setState({ searched });
  return {
    configId: state.chosen ?? searched ?? last,
    choose: (chosen: string) => setState({ searched, chosen }),
    remember,
  };
};

const useRemoteSearch = (search: RemoteSearch) =>
  useQuery({
    queryKey: ['remote', remoteStudies.search.path, search],
    queryFn: ({ signal }) => searchArchive(search, signal),
    enabled: search.configId !== undefined,
    // Searches the remote archive only on request, not when the window gains the focus.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    retry: false,
  });
