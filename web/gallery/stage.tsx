import type { ReactNode } from 'react';
import styles from './gallery.module.css';

/** Room of a fixed size, in pixels, for a component that fills its place. */
export function Stage({ width = 560, height, children }: { width?: number; height?: number; children: ReactNode }) {
  return (
    <div className={styles.stage} style={{ width, height }}>
      {children}
    </div>
  );
}
