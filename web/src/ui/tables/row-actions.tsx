import type { ReactNode } from 'react';
import styles from './row-actions.module.css';

/** Actions at the end of a row. They are dimmed unless the row is the current one. */
export function RowActions({ children }: { children: ReactNode }) {
  return <span className={styles.actions}>{children}</span>;
}
