import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import styles from './study-facts.module.css';

/** One fact about a study. If `value` is undefined, null or empty, the fact is unknown. */
export type Fact = { label: string; value: ReactNode };

/** Lists facts under a heading. An unknown value appears as a dash. */
export function StudyFacts({ title, facts }: { title: string; facts: readonly Fact[] }) {
  return (
    <section className={styles.section}>
      <h3 className={styles.title}>{title}</h3>
      <dl className={styles.facts}>
        {facts.map(({ label, value }) => (
          <div key={label} className={styles.fact}>
            <dt>{label}</dt>
            <dd>{isKnown(value) ? value : <NotKnown />}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const isKnown = (value: ReactNode) => value !== undefined && value !== null && value !== '';

/** Shows a dash on the screen, and "not known" to screen readers. */
export function NotKnown() {
  return (
    <span className={styles.unknown}>
      <span aria-hidden>–</span>
      <span className="visually-hidden">{t`unknown`}</span>
    </span>
  );
}
