import { NativeSelect } from '@mantine/core';
import { type Page, pageSizes } from '@radwork/contract/paging';
import styles from './pagination.module.css';

/** The pages to offer, counted from 0: the first, two either side of the current one, the last; null stands for a gap. */
export const pagesAround = (current: number, total: number): (number | null)[] => {
  const wanted = [0, current - 2, current - 1, current, current + 1, current + 2, total - 1];
  const pages = [...new Set(wanted.filter((page) => page >= 0 && page < total))].toSorted((a, b) => a - b);
  return pages.flatMap((page, at) => {
    const before = pages[at - 1];
    return before !== undefined && page - before > 1 ? [null, page] : [page];
  });
};

/** "Showing 11 to 20 of 47 entries"; `page` counts from 0. A total that is not exact is "more than 10,000". */
export const entriesShown = (page: number, size: number, total: number, isExact = true): string => {
  const from = page * size;
  const shown = from < total ? [from + 1, Math.min(from + size, total)] : [0, 0];
  return `Showing ${shown.map(grouped).join(' to ')} of ${isExact ? '' : 'more than '}${grouped(total)} entries`;
};

const grouped = (count: number): string => count.toLocaleString('en-US');

type Paging = { page?: number | undefined; size?: (typeof pageSizes)[number] | undefined };

type Props = {
  /** The page that is shown; where its total is not exact, the pages go on behind the last that is known. */
  shown: Omit<Page<unknown>, 'size'> & { isTotalExact?: boolean };
  size: number;
  /** Whether there are buttons for the first and the last page beside the numbers. */
  hasEnds?: boolean;
  /** Told what the address says next: nothing of the first page. */
  onPaging: (next: Paging) => void;
};

/** The foot of a list: which entries are shown, the way to the others, how many at a time. */
export function Pagination({ shown, size, hasEnds = false, onPaging }: Props) {
  const { number: page, totalElements, totalPages, isTotalExact = true } = shown;
  const onPage = (next: number) => onPaging({ page: next || undefined });
  const isFirst = page === 0;
  const isLast = page + 1 >= totalPages;
  return (
    <div className={styles.foot}>
      <p className={styles.shown} aria-live="polite">
        {entriesShown(page, size, totalElements, isTotalExact)}
      </p>
      <nav className={styles.pages} aria-label="Pages">
        {hasEnds && <Step label="First" isEnd={isFirst} onPress={() => onPage(0)} />}
        <Step label="Previous" isEnd={isFirst} onPress={() => onPage(page - 1)} />
        {pagesAround(page, totalPages).map((number, at) =>
          number === null ? (
            <Gap key={`gap-${at}`} />
          ) : (
            <button
              key={number}
              type="button"
              className={styles.page}
              aria-label={`Page ${number + 1}`}
              aria-current={number === page ? 'page' : undefined}
              onClick={() => onPage(number)}
            >
              {number + 1}
            </button>
          ),
        )}
        {!isTotalExact && <Gap />}
        <Step label="Next" isEnd={isLast} onPress={() => onPage(page + 1)} />
        {hasEnds && <Step label="Last" isEnd={isLast} onPress={() => onPage(totalPages - 1)} />}
      </nav>
      <NativeSelect
        size="xs"
        aria-label="Entries per page"
        value={String(size)}
        data={pageSizes.map((choice) => ({ value: String(choice), label: `${choice} / page` }))}
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
