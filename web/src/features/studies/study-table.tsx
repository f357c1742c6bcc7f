import { Button } from '@mantine/core';
import { pageSizes } from '@radwork/contract/paging';
import type { StudyPage, StudyRow } from '@radwork/contract/studies';
import type { UseQueryResult } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { wordsFor } from '#core/api.ts';
import type { Arrangement } from '#ui/data-table-columns.ts';
import { DataTable, type RowShortcut } from '#ui/data-table.tsx';
import { formatClock } from '#ui/formats.ts';
import { Notice } from '#ui/notice.tsx';
import { Pagination } from '#ui/pagination.tsx';
import { ErrorState } from '#ui/states.tsx';
import { SeriesList } from './series-list.tsx';
import styles from './studies-screen.module.css';
import { type ListPaging, listPaging } from './studies-search.ts';
import { viewerPath } from './study-actions.tsx';
import { useDensity } from './use-density.ts';
import { defaultSize, defaultSort, usePrefetching } from './use-studies.ts';

type Props = {
  /** What the table lists, in the plural and lower case. */
  label: string;
  shown: UseQueryResult<StudyPage>;
  /** What to say when the studies could not be fetched. */
  failed: string;
  arrangement: Arrangement<StudyRow>;
  paging: ListPaging;
  onPaging: (next: ListPaging, options?: { replace: boolean }) => void;
  /** The study whose series are open from the start. */
  opened?: string | undefined;
  rowShortcuts?: readonly RowShortcut<StudyRow>[];
  /** Whether the foot has buttons for the first and the last page. */
  hasEnds?: boolean;
  /** What to show in the place of rows when there are none. */
  children?: ReactNode;
};

/** A page of studies with the way to the others; its rows open in place, and lead to the study and to its viewer. */
export function StudyTable({ label, shown, failed, arrangement, paging, onPaging, ...props }: Props) {
  const { data, error } = shown;
  const { size = defaultSize, sort = defaultSort } = paging;
  const navigate = useNavigate();
  const prefetch = usePrefetching();
  const [density] = useDensity();
  useReturnFromBeyond(data, onPaging);
  const retry = () => void shown.refetch();
  const openViewer = (study: StudyRow) => void navigate({ to: viewerPath(study), params: { id: study.id } });

  return (
    <>
      {shown.isRefetchError && (
        <Outdated reason={wordsFor(error, failed)} since={new Date(shown.dataUpdatedAt)} onRetry={retry} />
      )}
      <DataTable
        label={label}
        items={data?.content}
        idOf={({ id }) => id}
        arrangement={arrangement}
        sort={sort}
        onSort={(next) => onPaging({ sort: listPaging.shape.sort.parse(next), page: undefined })}
        details={{ label: 'series', show: ({ id }) => <SeriesList studyId={id} /> }}
        opened={props.opened === undefined ? [] : [props.opened]}
        onOpen={({ id }) => void navigate({ to: '/studies/$id', params: { id } })}
        onApproach={prefetch}
        rowShortcuts={[
          { keys: 'v', does: 'Open the viewer', hint: 'viewer', run: openViewer },
          ...(props.rowShortcuts ?? []),
        ]}
        density={density}
        isRefreshing={shown.isFetching}
      >
        {shown.isLoadingError && <ErrorState failed={failed} error={error} onRetry={retry} />}
        {props.children}
      </DataTable>
      {data && (
        <Pagination
          page={data.number}
          size={size}
          totalElements={data.totalElements}
          totalPages={data.totalPages}
          isTotalExact={data.isTotalExact}
          hasEnds={props.hasEnds ?? false}
          onPage={(page) => onPaging({ page })}
          onSize={(next) => onPaging({ size: pageSizes.find((choice) => choice === next), page: undefined })}
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
const useReturnFromBeyond = (page: StudyPage | undefined, onPaging: Props['onPaging']) => {
  const isBeyond = page?.content.length === 0 && page.totalPages > 0 && page.number >= page.totalPages;
  const last = isBeyond ? page.totalPages - 1 : undefined;
  useEffect(() => {
    if (last !== undefined) onPaging({ page: last || undefined }, { replace: true });
  }, [last, onPaging]);
};
