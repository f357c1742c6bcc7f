import type { ReactNode } from 'react';
import styles from './screen-title.module.css';

/** Head of a screen: its title, content next to it, and its actions at the end. */
export function ScreenTitle({
  title,
  children,
  actions,
}: {
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <header className={styles.head}>
      <h1>{title}</h1>
      {children && <div className={styles.beside}>{children}</div>}
      {actions && <div className={styles.actions}>{actions}</div>}
    </header>
  );
}
