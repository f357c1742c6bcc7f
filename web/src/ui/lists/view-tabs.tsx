import { formatNumber } from '#ui/formats/formats.ts';
import { useEffect, useRef } from 'react';
import styles from './view-tabs.module.css';

type View<Value> = {
  value: Value;
  label: string;
  /** Number of items. `isMore` means that there are more, because an exact count would be slow. */
  count?: { total: number; isMore?: boolean } | undefined;
  /** Whether the items are urgent. */
  isPressing?: boolean;
};

type Props<Value> = { label: string; views: readonly View<Value>[]; current: Value; onView: (value: Value) => void };

/** Buttons to choose one of several lists of a screen, with the number of items in each. */
export function ViewTabs<Value extends string>({ label, views, current, onView }: Props<Value>) {
  const group = useRef<HTMLDivElement>(null);
  const isCounted = views.some(({ count }) => count !== undefined);
  // Scrolls the current tab into view if not all tabs fit.
  useEffect(() => {
    group.current?.querySelector('[aria-pressed="true"]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [current, isCounted]);
  return (
    <div ref={group} className={styles.views} role="group" aria-label={label}>
      {views.map(({ value, label: name, count, isPressing = false }) => (
        <button
          key={value}
          type="button"
          className={styles.view}
          aria-pressed={value === current}
          data-pressing={isPressing}
          onClick={() => onView(value)}
        >
          {name} {count && <span className={styles.count}>{countText(count)}</span>}
        </button>
      ))}
    </div>
  );
}

/** Formats a count as "47" or "1,000+". */
const countText = ({ total, isMore = false }: { total: number; isMore?: boolean }): string =>
  `${formatNumber(total)}${isMore ? '+' : ''}`;
