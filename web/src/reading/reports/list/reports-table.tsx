import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { type Report, type ReportRow, reports } from '@radwork/contract/reading/reports';
import { IconFileText } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { query, errorMessageOf } from '#core/http/api.ts';
import { toast } from '#core/browser/toasts.ts';
import { DataTable, type RowShortcut } from '#ui/tables/data-table.tsx';
import { OutdatedList } from '#ui/lists/list-notice.tsx';
import { ListChangedNote } from '#ui/lists/list-changed.tsx';
import { Pagination } from '#ui/lists/pagination.tsx';
import { EmptyState, ErrorState } from '#ui/feedback/content-states.tsx';
import { useLastPageFallback } from '#ui/lists/use-last-page-fallback.ts';
import { useSteadyList } from '#ui/lists/use-steady-list.ts';
import { dashboardFilterLabels } from './dashboard-filter-labels.ts';
import { printReport } from '#reading/reports/history/print-report.ts';
import { reportColumns } from './report-columns.tsx';
import { defaultSize, defaultSort, noFilters, reportsSearch, type ReportsSearch } from './reports-search.ts';
import { useReports } from '#reading/reports/use-reports.ts';
import { WholeReport } from '#reading/reports/whole-report.tsx';

type Props = {
  search: ReportsSearch;
  onChange: (next: Partial<ReportsSearch>, options?: { replace: boolean }) => void;
  /** Renders actions of other features for a report in the list. */
  actions: ((report: ReportRow) => ReactNode) | undefined;
  /** Renders warnings to read before the text of a report. */
  notices: ((report: Report) => ReactNode) | undefined;
};

const failed = t`Error fetching reports`;

/** One page of the list of reports, as chosen in the address, with page controls. */
export function ReportsTable({ search, onChange, actions, notices }: Props) {
  const { size = defaultSize, sort = defaultSort } = search;
  const result = useReports(search);
  const { data, error } = result;
  const steady = useSteadyList({
    items: data?.content,
    at: result.dataUpdatedAt,
    to: result.isPlaceholderData ? undefined : JSON.stringify(search),
  });
  const navigate = useNavigate();
  const print = usePrinting();
  const columns = useMemo(() => reportColumns({ onPrint: print, actions }), [print, actions]);
  useLastPageFallback(data, (last) => onChange({ page: last || undefined }, { replace: true }));
  const retry = () => void result.refetch();
  const shortcuts: RowShortcut<ReportRow>[] = [
    { keys: 'p', does: t`Print report`, hint: t`print`, run: (report) => print(report) },
  ];

  return (
    <>
      <OutdatedList label={t`reports`} result={result} failed={failed} />
      <DataTable
        label={t`reports`}
        items={steady.items}
        idOf={({ id }) => id}
        columns={columns}
        sort={sort}
        onSort={(next) => onChange({ sort: reportsSearch.shape.sort.parse(next), page: undefined })}
        details={{ label: t`text`, show: ({ id }) => <WholeReport reportId={id} notices={notices} /> }}
        onOpen={({ id }) => void navigate({ to: '/reports', search: { reportId: id } })}
        rowShortcuts={shortcuts}
        onHold={steady.onHold}
        isRefreshing={result.isFetching}
      >
        {result.isLoadingError && <ErrorState failed={failed} error={error} onRetry={retry} />}
        {data?.totalElements === 0 && <NoReports search={search} onClear={() => onChange(noFilters)} />}
      </DataTable>
      {steady.isMoved && <ListChangedNote onShow={steady.showNew} />}
      {data && <Pagination currentPage={data} size={size} onPaging={onChange} />}
    </>
  );
}

/** Prints a report. First fetches it, because the list has only a part of it. */
const usePrinting = () => {
  const client = useQueryClient();
  return useMemo(
    () =>
      ({ id }: ReportRow) =>
        void client.fetchQuery(query(reports.get, { params: { id } })).then(printReport, (error: unknown) => {
          toast.failure(errorMessageOf(error, t`Error loading report`));
        }),
    [client],
  );
};

const nothingIn: Record<NonNullable<ReportsSearch['view']>, { title: string; detail: string }> = {
  MINE: { title: t`You have no reports`, detail: t`Open a study to create a report.` },
  TO_REVIEW: { title: t`No reports to review`, detail: t`Reports appear here when a colleague requests your review.` },
  REVISION_REQUIRED: {
    title: t`No reports to revise`,
    detail: t`Reports appear here when a reviewer requests a revision.`,
  },
  FINALIZED: { title: t`No finalized reports`, detail: t`Reports appear here after signing.` },
};

function NoReports({ search, onClear }: { search: ReportsSearch; onClear: () => void }) {
  const { view, query: text, status, modality, authorId, reviewerId, critical, startDate, endDate } = search;
  const filters = [
    text,
    status,
    modality,
    authorId,
    reviewerId,
    critical,
    startDate,
    endDate,
    ...dashboardFilterLabels(search),
  ];
  const isFiltered = filters.some((filter) => filter !== undefined);
  const clear = (
    <Button variant="default" onClick={onClear}>
      {t`Show all reports`}
    </Button>
  );
  if (isFiltered) {
    return (
      <EmptyState
        icon={IconFileText}
        title={t`No matching reports`}
        detail={t`Remove a filter or open another tab.`}
        action={clear}
      />
    );
  }
  if (view) return <EmptyState icon={IconFileText} {...nothingIn[view]} action={clear} />;
  return <EmptyState icon={IconFileText} title={t`No reports yet`} detail={t`Open a study to create a report.`} />;
}
