import { useEffect, useRef } from 'react';
import styles from './view-tabs.module.css';

type View<Value> = {
  value: Value;
  label: string;
  /** How many it holds; `isMore` says that there are more than that, where counting on would take long. */
  count?: { total: number; isMore?: boolean } | undefined;
  /** Whether what it holds cannot wait. */
  isPressing?: boolean;
};

type Props<Value> = { label: string; views: readonly View<Value>[]; current: Value; onView: (value: Value) => void };

/** The lists that a screen can show, with how much is in each; pressing one shows it. */
export function ViewTabs<Value extends string>({ label, views, current, onView }: Props<Value>) {
  const group = useRef<HTMLDivElement>(null);
  const isCounted = views.some(({ count }) => count !== undefined);
  // Where they do not fit side by side they scroll; the one that is shown is to be seen.
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
          {name} {count && <span className={styles.count}>{inWords(count)}</span>}
        </button>
      ))}
    </div>
  );
}

/** "47", or "1,000+". */
const inWords = ({ total, isMore = false }: { total: number; isMore?: boolean }): string =>
  `${total.toLocaleString('en-US')}${isMore ? '+' : ''}`;
