import { studies, type StudyView, type StudyViewCount, studyViews } from '@radwork/contract/studies';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { query } from '#core/api.ts';
import type { StudiesSearch } from './studies-search.ts';
import styles from './study-views.module.css';

export const studyViewLabels: Record<StudyView, string> = {
  MINE: 'Mine',
  UNASSIGNED: 'Unassigned',
  PENDING: 'Pending',
  IN_PROGRESS: 'In progress',
  OVERDUE: 'Overdue',
  ALL: 'All',
};

type Props = { current: StudiesSearch['view']; onView: (view: StudiesSearch['view']) => void };

/** The worklists: how many studies each of them has; pressing one shows them. */
export function StudyViews({ current, onView }: Props) {
  const counts = useQuery(query(studies.views, {}));
  const group = useRef<HTMLDivElement>(null);
  // Where they do not fit side by side they scroll; the one that is shown is to be seen.
  useEffect(() => {
    group.current?.querySelector('[aria-pressed="true"]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [current, counts.data]);
  return (
    <div ref={group} className={styles.views} role="group" aria-label="Worklists">
      {studyViews.map((view) => (
        <button
          key={view}
          type="button"
          className={styles.view}
          aria-pressed={view === (current ?? 'ALL')}
          data-pressing={view === 'OVERDUE' && Boolean(counts.data?.OVERDUE.total)}
          onClick={() => onView(view === 'ALL' ? undefined : view)}
        >
          {studyViewLabels[view]} {counts.data && <span className={styles.count}>{countOf(counts.data[view])}</span>}
        </button>
      ))}
    </div>
  );
}

/** "47", or "1,000+" where counting on would take long. */
const countOf = ({ total, isMore }: StudyViewCount): string => `${total.toLocaleString('en-US')}${isMore ? '+' : ''}`;
