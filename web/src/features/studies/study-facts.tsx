import type { ReactNode } from 'react';
import styles from './study-facts.module.css';

/** One thing known about a study. `value` undefined, null or empty: the files do not say. */
export type Fact = { label: string; value: ReactNode };

/** What is known under a heading; what the files do not say shows as a dash, so that a gap is seen to be one. */
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

/** A dash for the eye, words for those who hear the page. */
export function NotKnown() {
  return (
    <span className={styles.unknown}>
      <span aria-hidden>–</span>
      <span className="visually-hidden">not known</span>
    </span>
  );
}
