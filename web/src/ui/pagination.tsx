import { NativeSelect } from '@mantine/core';
import { pageSizes } from '@radwork/contract/paging';
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

/** "Showing 11 to 20 of 47 entries"; `page` counts from 0. */
export const entriesShown = (page: number, size: number, total: number): string => {
  const from = page * size;
  const shown = from < total ? [from + 1, Math.min(from + size, total)] : [0, 0];
  return `Showing ${shown.map(grouped).join(' to ')} of ${grouped(total)} entries`;
};

const grouped = (count: number): string => count.toLocaleString('en-US');

type Props = {
  /** Counts from 0. */
  page: number;
  size: number;
  totalElements: number;
  totalPages: number;
  onPage: (page: number) => void;
  onSize: (size: number) => void;
};

/** The foot of a list: which entries are shown, the way to the others, how many at a time. */
export function Pagination({ page, size, totalElements, totalPages, onPage, onSize }: Props) {
  return (
    <div className={styles.foot}>
      <p className={styles.shown} aria-live="polite">
        {entriesShown(page, size, totalElements)}
      </p>
      <nav className={styles.pages} aria-label="Pages">
        <button type="button" className={styles.step} disabled={page === 0} onClick={() => onPage(page - 1)}>
          Previous
        </button>
        {pagesAround(page, totalPages).map((number, at) =>
          number === null ? (
            <span key={`gap-${at}`} className={styles.gap} aria-hidden>
              …
            </span>
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
        <button
          type="button"
          className={styles.step}
          disabled={page + 1 >= totalPages}
          onClick={() => onPage(page + 1)}
        >
          Next
        </button>
      </nav>
      <NativeSelect
        size="xs"
        aria-label="Entries per page"
        value={String(size)}
        data={pageSizes.map((choice) => ({ value: String(choice), label: `${choice} / page` }))}
        onChange={(event) => onSize(Number(event.currentTarget.value))}
      />
    </div>
  );
}
