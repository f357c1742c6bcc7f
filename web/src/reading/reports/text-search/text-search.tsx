import { plural, t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { reportHitsExport, reportSearch, type ReportHits } from '@radwork/contract/reading/report-search';
import { IconDownload, IconFileSearch, IconListDetails } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { RefObject } from 'react';
import { query } from '#core/http/api.ts';
import { EmptyState, ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { ScreenTitle } from '#ui/layout/screen-title.tsx';
import { ListNotice, OutdatedList } from '#ui/lists/list-notice.tsx';
import { Pagination } from '#ui/lists/pagination.tsx';
import { useLastPageFallback } from '#ui/lists/use-last-page-fallback.ts';
import { defaultSize, noFilters, type ReportsSearch } from '#reading/reports/list/reports-search.ts';
import { may } from '#core/state/session.ts';
import { useReportsExport } from '#reading/reports/use-reports-export.ts';
import { Hit } from './hit.tsx';
import { filterOf, TextFilters } from './text-filters.tsx';
import styles from './text-search.module.css';

type Props = {
  search: ReportsSearch;
  onChange: (next: Partial<ReportsSearch>, options?: { replace: boolean }) => void;
  textField: RefObject<HTMLInputElement | null>;
};

const failed = t`Error searching reports`;

/** Search in the texts of the reports that the user may read. The address holds the search, its filters and the page. */
export function TextSearch({ search, onChange, textField }: Props) {
  const filter = filterOf(search);
  const { page = 0, size = defaultSize } = search;
  const { text = '' } = filter;
  const result = useQuery({
    ...query(reportSearch.find, { query: { ...filter, text, page, size } }),
    placeholderData: keepPreviousData,
    enabled: text !== '',
  });
  const exporting = useReportsExport(reportHitsExport, filter);
  const data = text === '' ? undefined : result.data;
  useLastPageFallback(data, (last) => onChange({ page: last || undefined }, { replace: true }));
  return (
    <>
      <ScreenTitle
        title={t`Reports`}
        actions={
          <>
            {may(reportHitsExport) && (
              <Button
                variant="default"
                leftSection={<IconDownload size={16} aria-hidden />}
                disabled={!data?.totalElements}
                loading={exporting.isPending}
                onClick={() => exporting.mutate()}
              >
                {t`Export CSV`}
              </Button>
            )}
            <Button
              variant="default"
              leftSection={<IconListDetails size={16} aria-hidden />}
              renderRoot={(props) => <Link to="/reports" {...props} />}
            >
              {t`List of reports`}
            </Button>
          </>
        }
      />
      <TextFilters
        filter={filter}
        textField={textField}
        onFilter={(next) => onChange({ ...next, page: undefined }, { replace: true })}
      />
      <OutdatedList label={t`reports`} result={result} failed={failed} />
      {data && <Remarks hits={data} />}
      <section className={styles.hits} aria-label={t`Hits`} aria-busy={result.isFetching}>
        {text === '' && <HowToSearch />}
        {text !== '' && result.isPending && <Skeleton lines={6} label={t`Searching`} />}
        {text !== '' && result.isLoadingError && (
          <ErrorState failed={failed} error={result.error} onRetry={() => void result.refetch()} />
        )}
        {data?.totalElements === 0 && (
          <EmptyState
            icon={IconFileSearch}
            title={t`No matching reports`}
            detail={t`Use fewer words, or remove a filter.`}
            action={
              <Button variant="default" onClick={() => onChange(noFilters)}>
                {t`Clear search`}
              </Button>
            }
          />
        )}
        {data && data.content.length > 0 && (
          <ol className={styles.list}>
            {data.content.map((hit) => (
              <li key={hit.id}>
                <Hit hit={hit} />
              </li>
            ))}
          </ol>
        )}
      </section>
      {data && data.totalElements > 0 && <Pagination currentPage={data} size={size} onPaging={onChange} />}
    </>
  );
}

function HowToSearch() {
  return (
    <EmptyState
      icon={IconFileSearch}
      title={t`Search report texts`}
      detail={t`All words must occur. "Quotation marks" find a phrase, a minus excludes a word, and "or" separates alternatives.`}
    />
  );
}

function Remarks({ hits }: { hits: ReportHits }) {
  const { totalElements, isTotalExact, isRanked, isIndexComplete } = hits;
  return (
    <>
      {!isIndexComplete && (
        <ListNotice tone="warning">
          {t`Older reports are still being indexed. Some of them are not found yet.`}
        </ListNotice>
      )}
      <p className={styles.count} role="status">
        {isTotalExact
          ? t`${plural(totalElements, { one: '# report', other: '# reports' })}`
          : t`More than ${totalElements} reports`}
        {' · '}
        {isRanked ? t`best match first` : t`newest first, because many reports match`}
      </p>
    </>
  );
}
