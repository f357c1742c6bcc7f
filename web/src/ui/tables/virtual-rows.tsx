import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import styles from './virtual-rows.module.css';

type Props = {
  label: string;
  count: number;
  /** Height of each row in pixels. May change between renders. */
  rowHeight: number;
  keyOf: (index: number) => string | number;
  children: (index: number) => ReactNode;
};

/** Scrolling list that renders only the visible rows. Ten thousand rows are as fast as thirty. */
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
  // Measures again, because the virtualizer caches row heights.
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, rowHeight]);
  return (
    // Focusable, so that the keyboard can scroll the list.
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
