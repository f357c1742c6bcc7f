import { Button } from '@mantine/core';
import { pageSizes } from '@radwork/contract/paging';
import type { StudyRow } from '@radwork/contract/studies';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { wordsFor } from '#core/api.ts';
import { DataTable } from '#ui/data-table.tsx';
import { formatClock } from '#ui/formats.ts';
import { Notice } from '#ui/notice.tsx';
import { Pagination } from '#ui/pagination.tsx';
import { ErrorState } from '#ui/states.tsx';
import { NoStudies, OnlyThisStudy } from './no-studies.tsx';
import { SeriesList } from './series-list.tsx';
import styles from './studies-screen.module.css';
import { studiesSearch, type StudiesSearch } from './studies-search.ts';
import { viewerPath } from './study-actions.tsx';
import { studyColumns } from './study-columns.tsx';
import { useDensity } from './use-density.ts';
import { defaultSize, defaultSort, useNamedStudy, useStudies } from './use-studies.ts';

type Change = (next: Partial<StudiesSearch>, options?: { replace: boolean }) => Promise<void>;
type Props = { search: StudiesSearch; onChange: Change; onRemove: (study: StudyRow) => Promise<void> };

const everything = {
  query: undefined,
  modality: undefined,
  status: undefined,
  startDate: undefined,
  endDate: undefined,
  studyId: undefined,
  page: undefined,
} satisfies Partial<StudiesSearch>;

/** The rows an address asks for, and the way to the others. */
export function StudyTable({ search, onChange, onRemove }: Props) {
  const { studyId, size = defaultSize, sort = defaultSort } = search;
  const listed = useStudies(search);
  const named = useNamedStudy(studyId);
  const { data, error, ...shown } = studyId === undefined ? listed : named;
  const navigate = useNavigate();
  const [density] = useDensity();
  const columns = useMemo(() => studyColumns((study) => void onRemove(study)), [onRemove]);
  useReturnFromBeyond(data, onChange);
  const failed = search.query ? 'Error searching studies' : 'Error fetching studies';
  const retry = () => void shown.refetch();
  const showAll = () => void onChange(everything);
  const openViewer = (study: StudyRow) => void navigate({ to: viewerPath(study), params: { id: study.id } });

  return (
    <>
      {shown.isRefetchError && (
        <Outdated reason={wordsFor(error, failed)} since={new Date(shown.dataUpdatedAt)} onRetry={retry} />
      )}
      <DataTable
        label="studies"
        items={data?.content}
        idOf={({ id }) => id}
        columns={columns}
        sort={sort}
        onSort={(next) => void onChange({ sort: studiesSearch.shape.sort.parse(next), page: undefined })}
        details={{ label: 'series', show: ({ id }) => <SeriesList studyId={id} /> }}
        opened={studyId === undefined ? [] : [studyId]}
        onOpen={({ id }) => void navigate({ to: '/studies/$id', params: { id } })}
        rowShortcuts={[{ keys: 'v', does: 'Open the viewer', hint: 'viewer', run: openViewer }]}
        density={density}
        isRefreshing={shown.isFetching}
      >
        {shown.isLoadingError && <ErrorState failed={failed} error={error} onRetry={retry} />}
        {data?.totalElements === 0 && <NoStudies search={search} onClear={showAll} />}
        {studyId !== undefined && !shown.isPending && <OnlyThisStudy onShowAll={showAll} />}
      </DataTable>
      {data && (
        <Pagination
          page={data.number}
          size={size}
          totalElements={data.totalElements}
          totalPages={data.totalPages}
          onPage={(page) => void onChange({ page })}
          onSize={(next) => void onChange({ size: pageSizes.find((choice) => choice === next), page: undefined })}
        />
      )}
    </>
  );
}

/** The rows are still those of an earlier answer, and why. */
function Outdated({ reason, since, onRetry }: { reason: string; since: Date; onRetry: () => void }) {
  return (
    <div className={styles.notice}>
      <Notice
        tone="danger"
        action={
          <Button size="compact-xs" variant="default" onClick={onRetry}>
            Retry
          </Button>
        }
      >
        {reason}. These are the studies as of {formatClock(since)}.
      </Notice>
    </div>
  );
}

/** A page past the end is empty, after a deletion for example; the last one that is not is shown instead. */
const useReturnFromBeyond = (page: { number: number; totalPages: number } | undefined, onChange: Change) => {
  const last = page && page.totalPages > 0 && page.number >= page.totalPages ? page.totalPages - 1 : undefined;
  useEffect(() => {
    if (last !== undefined) void onChange({ page: last || undefined }, { replace: true });
  }, [last, onChange]);
};
