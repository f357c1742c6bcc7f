import { formatNumber } from '#ui/formats/formats.ts';
import { t } from '@lingui/core/macro';
import { NativeSelect } from '@mantine/core';
import { type Page, pageSizes } from '@radwork/contract/core/paging';
import styles from './pagination.module.css';

/**
 * Returns the pages to offer, counted from 0: the first, two on either side of the current page, and the last. Null is
 * a gap.
 */
export const pagesAround = (current: number, total: number): (number | null)[] => {
  const candidates = [0, current - 2, current - 1, current, current + 1, current + 2, total - 1];
  const pages = [...new Set(candidates.filter((page) => page >= 0 && page < total))].toSorted((a, b) => a - b);
  return pages.flatMap((page, at) => {
    const before = pages[at - 1];
    return before !== undefined && page - before > 1 ? [null, page] : [page];
  });
};

/**
 * Formats "Showing 11 to 20 of 47 entries". `page` counts from 0. A total that is not exact is shown as "more than
 * 10,000".
 */
export const entriesShown = (page: number, size: number, total: number, isExact = true): string => {
  const from = page * size;
  const first = formatNumber(from < total ? from + 1 : 0);
  const last = formatNumber(from < total ? Math.min(from + size, total) : 0);
  const count = formatNumber(total);
  return isExact
    ? t`Showing ${first} to ${last} of ${count} entries`
    : t`Showing ${first} to ${last} of more than ${count} entries`;
};

const pageLabel = (number: number): string => t`Page ${number}`;

type Paging = { page?: number | undefined; size?: (typeof pageSizes)[number] | undefined };

type Props = {
  /** The current page. If the total is not exact, pages continue after the last known page. */
  currentPage: Omit<Page<unknown>, 'size'> & { isTotalExact?: boolean };
  size: number;
  /** Whether there are buttons for the first and the last page. */
  hasEnds?: boolean;
  /** Called with the search parameters of the chosen page. The first page has none. */
  onPaging: (next: Paging) => void;
};

/** Footer of a list: range of entries, page buttons, page size. */
export function Pagination({ currentPage, size, hasEnds = false, onPaging }: Props) {
  const { number: page, totalElements, totalPages, isTotalExact = true } = currentPage;
  const onPage = (next: number) => onPaging({ page: next || undefined });
  const isFirst = page === 0;
  const isLast = page + 1 >= totalPages;
  return (
    <div className={styles.foot}>
      <p className={styles.shown} aria-live="polite">
        {entriesShown(page, size, totalElements, isTotalExact)}
      </p>
      <nav className={styles.pages} aria-label={t`Pages`}>
        {hasEnds && <Step label={t`First`} isEnd={isFirst} onPress={() => onPage(0)} />}
        <Step label={t`Previous`} isEnd={isFirst} onPress={() => onPage(page - 1)} />
        {pagesAround(page, totalPages).map((number, at) =>
          number === null ? (
            <Gap key={`gap-${at}`} />
          ) : (
            <button
              key={number}
              type="button"
              className={styles.page}
              aria-label={pageLabel(number + 1)}
              aria-current={number === page ? 'page' : undefined}
              onClick={() => onPage(number)}
            >
              {number + 1}
            </button>
          ),
        )}
        {!isTotalExact && <Gap />}
        <Step label={t`Next`} isEnd={isLast} onPress={() => onPage(page + 1)} />
        {hasEnds && <Step label={t`Last`} isEnd={isLast} onPress={() => onPage(totalPages - 1)} />}
      </nav>
      <NativeSelect
        size="xs"
        aria-label={t`Entries per page`}
        value={String(size)}
        data={pageSizes.map((choice) => ({ value: String(choice), label: t`${choice} / page` }))}
        onChange={({ currentTarget: { value } }) =>
          onPaging({ size: pageSizes.find((choice) => choice === Number(value)), page: undefined })
        }
      />
    </div>
  );
}

function Step({ label, isEnd, onPress }: { label: string; isEnd: boolean; onPress: () => void }) {
  return (
    <button type="button" className={styles.step} disabled={isEnd} onClick={onPress}>
      {label}
    </button>
  );
}

function Gap() {
  return (
    <span className={styles.gap} aria-hidden>
      …
    </span>
  );
}
