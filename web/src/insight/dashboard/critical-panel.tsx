import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { severityLabels } from '@radwork/contract/reading/critical-finding-states';
import type { DashboardCritical } from '@radwork/contract/insight/dashboard';
import { Link } from '@tanstack/react-router';
import { useNow } from '#ui/formats/use-now.ts';
import styles from './dashboard.module.css';
import { formatCount, formatMinutes } from './number-formats.tsx';
import { DashboardPanel } from './dashboard-panel.tsx';
import { type Period, useDashboardPart } from './use-dashboard-part.ts';

/** Shows open critical findings, and how often findings were acknowledged in time. */
export function CriticalPanel() {
  const result = useDashboardPart('critical');
  return (
    <DashboardPanel
      title={t`Critical findings`}
      beside={t`open`}
      info={t`Open findings are not acknowledged yet. “In time” is the share of findings due in the period that were acknowledged before their time limit. Withdrawn findings are excluded.`}
      result={result}
      lines={5}
    >
      {({ critical, from, to }) => critical && <Board critical={critical} period={{ from, to }} />}
    </DashboardPanel>
  );
}

function Board({ critical, period: { from, to } }: { critical: DashboardCritical; period: Period }) {
  const { bySeverity, due, inTime } = critical;
  const days = { dueFrom: from, dueTo: to };
  const percent = Math.round((100 * inTime) / due);
  const late = due - inTime;
  return (
    <>
      <ul className={styles.lines} aria-label={t`Open critical findings by severity`}>
        {bySeverity.map(({ severity, unsettled, nextDueAt }) => (
          <li key={severity} className={styles.line}>
            <Link to="/critical-findings" search={{ severity }} className={styles.figure}>
              {formatCount({ total: unsettled })}
            </Link>
            <span className={styles.who}>{severityLabels[severity]}</span>
            {nextDueAt && <Due at={nextDueAt} />}
          </li>
        ))}
      </ul>
      <p className={styles.summary}>
        {due === 0 ? (
          t`No findings were due in this period.`
        ) : (
          <>
            <Trans>
              <strong>{percent} %</strong> acknowledged in time:{' '}
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
                  {t`${late} late`}
                </Link>
              </>
            )}
          </>
        )}
      </p>
    </>
  );
}

/** Shows the time left for the most urgent finding, as color and as text. */
function Due({ at }: { at: string }) {
  const minutes = (Date.parse(at) - useNow(30_000).getTime()) / 60_000;
  const time = formatMinutes(Math.abs(minutes));
  return (
    <span className={styles.due} data-tone={minutes < 0 ? 'danger' : 'secondary'}>
      {minutes < 0 ? t`${time} overdue` : t`${time} left`}
    </span>
  );
}
