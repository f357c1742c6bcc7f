import type { ReactNode } from 'react';
import styles from './gallery.module.css';

/** Area of a fixed size, in pixels, for a component that fills the available space. */
export function Stage({ width = 560, height, children }: { width?: number; height?: number; children: ReactNode }) {
  return (
    <div className={styles.stage} style={{ width, height }}>
      {children}
    </div>
  );
}
