import type { ReactNode } from 'react';
import styles from './screen-title.module.css';

/** Header of a screen: its title, followed by other content, with actions at the end. */
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
