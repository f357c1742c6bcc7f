import { t } from '@lingui/core/macro';
import type { StudyPage } from '@radwork/contract/imaging/studies';
import type { StudyRow } from '@radwork/contract/imaging/study-rows';
import type { UseQueryResult } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Arrangement } from '#ui/tables/data-table-columns.ts';
import { DataTable, type RowShortcut } from '#ui/tables/data-table.tsx';
import type { Selection } from '#ui/tables/use-row-selection.ts';
import { OutdatedList } from '#ui/lists/list-notice.tsx';
import { ListChangedNote } from '#ui/lists/list-changed.tsx';
import { Pagination } from '#ui/lists/pagination.tsx';
import { ErrorState } from '#ui/feedback/content-states.tsx';
import { useLastPageFallback } from '#ui/lists/use-last-page-fallback.ts';
import { useSteadyList } from '#ui/lists/use-steady-list.ts';
import { SeriesList } from './series-list.tsx';
import { type ListPaging, listPaging } from './studies-search.ts';
import { viewerPath } from '#imaging/studies/study-actions.tsx';
import { useDensity } from './use-density.ts';
import { defaultSize, defaultSort as sortOfPatient, usePrefetching } from './use-studies.ts';

type Props = {
  /** Name of the rows in the plural, in lower case. */
  label: string;
  result: UseQueryResult<StudyPage>;
  /** Key that is the same for the same request. */
  requestKey: string;
  /** Message if the studies fail to load. */
  failed: string;
  arrangement: Arrangement<StudyRow>;
  paging: ListPaging;
  onPaging: (next: ListPaging, options?: { replace: boolean }) => void;
  /** ID of the study whose series are open at first. */
  opened?: string | undefined;
  rowShortcuts?: readonly RowShortcut<StudyRow>[];
  /** Order without a sort order in the address. Default: newest first. */
  defaultSort?: string;
  selection?: Selection<StudyRow> | undefined;
  /** Called when another row becomes the current one. */
  onCurrent?: (study: StudyRow) => void;
  /** Whether the footer has buttons for the first page and the last page. */
  hasEnds?: boolean;
  /** Shown in place of the rows if there are no rows. */
  children?: ReactNode;
};

/** Table with one page of studies. A row expands in place and links to the study and its viewer. */
export function StudyTable({ label, result, requestKey, failed, arrangement, paging, onPaging, ...props }: Props) {
  const { data, error } = result;
  const steady = useSteadyList({
    items: data?.content,
    at: result.dataUpdatedAt,
    to: result.isPlaceholderData ? undefined : requestKey,
  });
  const { size = defaultSize, sort = props.defaultSort ?? sortOfPatient } = paging;
  const navigate = useNavigate();
  const prefetch = usePrefetching();
  const [density] = useDensity();
  useLastPageFallback(data, (last) => onPaging({ page: last || undefined }, { replace: true }));
  const retry = () => void result.refetch();
  const openViewer = (study: StudyRow) => void navigate({ to: viewerPath(study), params: { id: study.id } });

  return (
    <>
      <OutdatedList label={t`studies`} result={result} failed={failed} />
      <DataTable
        label={label}
        items={steady.items}
        idOf={({ id }) => id}
        arrangement={arrangement}
        sort={sort}
        onSort={(next) => onPaging({ sort: listPaging.shape.sort.parse(next), page: undefined })}
        details={{ label: t`series`, show: ({ id }) => <SeriesList studyId={id} /> }}
        opened={props.opened === undefined ? [] : [props.opened]}
        onOpen={({ id }) => void navigate({ to: '/studies/$id', params: { id } })}
        onApproach={prefetch}
        onHold={steady.onHold}
        {...(props.onCurrent && { onCurrent: props.onCurrent })}
        selection={props.selection}
        rowShortcuts={[
          { keys: 'v', does: t`Open viewer`, hint: t`viewer`, run: openViewer },
          ...(props.rowShortcuts ?? []),
        ]}
        density={density}
        isRefreshing={result.isFetching}
      >
        {result.isLoadingError && <ErrorState failed={failed} error={error} onRetry={retry} />}
        {props.children}
      </DataTable>
      {steady.isMoved && <ListChangedNote onShow={steady.showNew} />}
      {data && <Pagination currentPage={data} size={size} hasEnds={props.hasEnds ?? false} onPaging={onPaging} />}
    </>
  );
}
