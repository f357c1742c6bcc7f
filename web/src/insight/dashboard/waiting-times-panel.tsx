import { t } from '@lingui/core/macro';
import { type StudyAge, studyAgeLabels } from '@radwork/contract/imaging/study-work-filters';
import { Link } from '@tanstack/react-router';
import { Bar } from './bar.tsx';
import styles from './dashboard.module.css';
import { formatCount } from './number-formats.tsx';
import { DashboardPanel } from './dashboard-panel.tsx';
import { useDashboardPart } from './use-dashboard-part.ts';

const tones: Partial<Record<StudyAge, string>> = { UNDER_7_DAYS: 'warning', OVER_7_DAYS: 'danger' };

/** Shows studies without a report, by time since arrival. */
export function WaitingTimesPanel() {
  return (
    <DashboardPanel
      title={t`Unreported`}
      beside={t`by time since arrival`}
      info={t`Pending, assigned and in-progress studies by time since arrival.`}
      result={useDashboardPart('ages')}
      lines={5}
    >
      {({ ages = [] }) => (
        <ul className={styles.lines} aria-label={t`Unreported studies by age`}>
          {ages.map(({ age, ...count }) => (
            <li key={age} className={styles.line}>
              <span className={styles.name}>{studyAgeLabels[age]}</span>
              <Bar part={count.total / Math.max(1, ...ages.map(({ total }) => total))} tone={tones[age] ?? 'primary'} />
              <Link to="/studies" search={{ age, sort: 'createdDate,asc' }} className={styles.figure}>
                {formatCount(count)}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </DashboardPanel>
  );
}
