import type { ReactNode } from 'react';
import styles from './row-actions.module.css';

/** Actions at the end of a row. Dimmed until the row is current. */
export function RowActions({ children }: { children: ReactNode }) {
  return <span className={styles.actions}>{children}</span>;
}
