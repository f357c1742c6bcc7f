import type { ReactNode } from 'react';
import styles from './row-actions.module.css';

/** What can be done with the thing of a row, at its end: in the background until one is on the row. */
export function RowActions({ children }: { children: ReactNode }) {
  return <span className={styles.actions}>{children}</span>;
}
