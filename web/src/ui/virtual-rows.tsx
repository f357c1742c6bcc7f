import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import styles from './virtual-rows.module.css';

type Props = {
  label: string;
  count: number;
  /** Pixels, the same for every row; it may become another one. */
  rowHeight: number;
  keyOf: (index: number) => string | number;
  children: (index: number) => ReactNode;
};

/** A list that scrolls inside its place and builds only the rows in view: ten thousand rows cost what thirty do. */
export function VirtualRows({ label, count, rowHeight, keyOf, children }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  // The rule is about the React Compiler, which this project does not use.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    getItemKey: keyOf,
  });
  // It remembers how tall rows were.
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, rowHeight]);
  return (
    // What scrolls has to be reachable by keyboard.
    <div ref={scroller} className={styles.scroller} tabIndex={0} role="group" aria-label={label}>
      <div role="list" className={styles.rows} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ key, index, start }) => (
          <div
            key={key}
            role="listitem"
            aria-setsize={count}
            aria-posinset={index + 1}
            className={styles.row}
            style={{ height: rowHeight, transform: `translateY(${start}px)` }}
          >
            {children(index)}
          </div>
        ))}
      </div>
    </div>
  );
}
