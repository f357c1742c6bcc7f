import { type ReactNode, useId } from 'react';
import styles from './settings-section.module.css';

type Props = { title: string; about: ReactNode; children: ReactNode };

/** Section of a settings screen: description on the left, fields on the right. */
export function SettingsSection({ title, about, children }: Props) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.about}>
        <h2 id={id}>{title}</h2>
        <p>{about}</p>
      </div>
      <div className={styles.fields}>{children}</div>
    </section>
  );
}
