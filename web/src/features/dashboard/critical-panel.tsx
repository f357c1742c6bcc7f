import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { severityLabels } from '@radwork/contract/critical-findings';
import type { DashboardCritical } from '@radwork/contract/dashboard';
import { Link } from '@tanstack/react-router';
import { useNow } from '#ui/now.ts';
import styles from './dashboard.module.css';
import { inWords, minutesInWords } from './number.tsx';
import { Panel } from './panel.tsx';
import { type Period, usePart } from './use-part.ts';

/** Shows critical findings that are not settled, and how often they were acknowledged in time. */
export function CriticalPanel() {
  const shown = usePart('critical');
  return (
    <Panel
      title={t`Critical findings`}
      beside="not settled"
      info="Open findings are those that nobody has confirmed yet. In time counts the findings whose time ended in the period, and of these the ones acknowledged before it did. Withdrawn findings count in neither."
      shown={shown}
      lines={5}
    >
      {({ critical, from, to }) => critical && <Board critical={critical} period={{ from, to }} />}
    </Panel>
  );
}

function Board({ critical, period: { from, to } }: { critical: DashboardCritical; period: Period }) {
  const { bySeverity, due, inTime } = critical;
  const days = { dueFrom: from, dueTo: to };
  return (
    <>
      <ul className={styles.lines} aria-label={t`Open critical findings by severity`}>
        {bySeverity.map(({ severity, unsettled, nextDueAt }) => (
          <li key={severity} className={styles.line}>
            <Link to="/critical-findings" search={{ severity }} className={styles.figure}>
              {inWords({ total: unsettled })}
            </Link>
            <span className={styles.who}>{severityLabels[severity]}</span>
            {nextDueAt && <Due at={nextDueAt} />}
          </li>
        ))}
      </ul>
      <p className={styles.summary}>
        {due === 0 ? (
          t`No finding’s time ended in this period.`
        ) : (
          <>
            <Trans>
              <strong>{Math.round((100 * inTime) / due)} %</strong> acknowledged in time:{' '}
              <Link to="/critical-findings" search={{ ...days, timeliness: 'IN_TIME' }}>
                {inTime} of
              </Link>{' '}
              <Link to="/critical-findings" search={{ ...days, timeliness: 'EITHER' }}>
                {due}
              </Link>
            </Trans>
            {due > inTime && (
              <>
                ,{' '}
                <Link to="/critical-findings" search={{ ...days, timeliness: 'LATE' }}>
                  <Trans>{due - inTime} late</Trans>
                </Link>
              </>
            )}
          </>
        )}
      </p>
    </>
  );
}

/** Shows the time left for the first finding. The text needs no color. */
function Due({ at }: { at: string }) {
  const minutes = (Date.parse(at) - useNow(30_000).getTime()) / 60_000;
  return (
    <span className={styles.due} data-tone={minutes < 0 ? 'danger' : 'secondary'}>
      {minutes < 0 ? t`${minutesInWords(-minutes)} over` : t`${minutesInWords(minutes)} left`}
    </span>
  );
}
