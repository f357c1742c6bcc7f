import type { ComponentProps } from 'react';
import { loadOnDemand } from '#ui/feedback/on-demand.tsx';
import styles from './reading-bar-on-demand.module.css';

const LateReadingBar = loadOnDemand(async () => (await import('./reading-bar.tsx')).ReadingBar);

/** Prefetches the code of the reading bar. */
export const fetchReadingBar = LateReadingBar.prefetch;

/** Bar of the reading mode. Its code is loaded on demand, so that the first image does not wait for it. */
export const ReadingBarOnDemand = (props: Omit<ComponentProps<typeof LateReadingBar>, 'waiting'>) => (
  <LateReadingBar {...props} waiting={<div className={styles.space} />} />
);
