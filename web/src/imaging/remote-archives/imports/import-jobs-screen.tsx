import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { importJobExport } from '@radwork/contract/imaging/import-jobs';
import { importJobStates } from '@radwork/contract/imaging/import-job-states';
import { IconCloudDownload, IconCloudSearch } from '@tabler/icons-react';
import { useListExport } from '#core/http/use-list-export.ts';
import { may } from '#core/state/session.ts';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { DataTable } from '#ui/tables/data-table.tsx';
import { OutdatedList } from '#ui/lists/list-notice.tsx';
import { ListChangedNote } from '#ui/lists/list-changed.tsx';
import { Pagination } from '#ui/lists/pagination.tsx';
import { ScreenTitle } from '#ui/layout/screen-title.tsx';
import { ExportButton } from '#ui/lists/export-button.tsx';
import { EmptyState, ErrorState } from '#ui/feedback/content-states.tsx';
import { useSteadyList } from '#ui/lists/use-steady-list.ts';
import { jobColumns } from './job-columns.tsx';
import { JobDetails } from './job-details.tsx';
import type { JobsSearch } from './jobs-search.ts';
import styles from '#imaging/remote-archives/remote-archives.module.css';
import { StateFilter } from '#imaging/remote-archives/state-filter.tsx';
import { useImportJobs } from './use-imports.ts';
import { useJobActions } from './use-job-actions.tsx';

const route = getRouteApi('/signed-in/shell/queue-jobs');
const defaultSize = 25;

/** Screen /queue-jobs: the organization's imports with progress and actions. */
export function ImportJobsScreen() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const { page = 0, size = defaultSize, state } = search;
  const jobs = useImportJobs({ page, size, state });
  const change = (next: JobsSearch) => void navigate({ to: '/queue-jobs', search: { ...search, ...next } });
  const actions = useJobActions();
  const columns = useMemo(() => jobColumns(actions), [actions]);
  const exporting = useListExport(
    importJobExport,
    { state },
    { done: t`Imports exported. The audit log records the export.`, failed: t`Failed to export imports` },
  );
  const { data, error } = jobs;
  const steady = useSteadyList({
    items: data?.content,
    at: jobs.dataUpdatedAt,
    to: JSON.stringify({ page, size, state }),
  });

  return (
    <>
      <div className={styles.title}>
        <ScreenTitle
          title={t`Import jobs`}
          actions={
            <>
              {may(importJobExport) && <ExportButton exporting={exporting} />}
              <SearchLink />
            </>
          }
        >
          <StateFilter
            states={importJobStates}
            current={state}
            onState={(next) => change({ state: next, page: undefined })}
          />
        </ScreenTitle>
      </div>
      <OutdatedList label={t`import jobs`} result={jobs} failed={t`Failed to update the import jobs`} />
      <DataTable
        label={t`import jobs`}
        items={steady.items}
        idOf={({ id }) => id}
        columns={columns}
        details={{ label: t`details`, show: (job) => <JobDetails job={job} /> }}
        onOpen={({ studyId }) => studyId && void navigate({ to: '/studies/$id', params: { id: studyId } })}
        onHold={steady.onHold}
      >
        {jobs.isLoadingError && (
          <ErrorState failed={t`Failed to load import jobs`} error={error} onRetry={() => void jobs.refetch()} />
        )}
        {data?.totalElements === 0 && <NoJobs isFiltered={state !== undefined} />}
      </DataTable>
      {steady.isMoved && <ListChangedNote onShow={steady.showNew} />}
      {data && <Pagination currentPage={data} size={size} onPaging={change} />}
    </>
  );
}

function SearchLink() {
  return (
    <Button
      variant="default"
      leftSection={<IconCloudSearch size={16} aria-hidden />}
      renderRoot={(props) => <Link to="/stydys-search" preload="intent" {...props} />}
    >
      {t`Search remote studies`}
    </Button>
  );
}

function NoJobs({ isFiltered }: { isFiltered: boolean }) {
  return (
    <EmptyState
      icon={IconCloudDownload}
      title={isFiltered ? t`No imports in this state` : t`No imports yet`}
      detail={isFiltered ? undefined : t`Imports from other archives appear here with their progress.`}
    />
  );
}
