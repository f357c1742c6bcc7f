import { t } from '@lingui/core/macro';
import type { DashboardTurnaround, DashboardWorkload } from '@radwork/contract/insight/dashboard';
import { Link } from '@tanstack/react-router';
import { PriorityMark } from '#ui/marks/priority-mark.tsx';
import { Bar } from './bar.tsx';
import styles from './dashboard.module.css';
import { formatCount, formatMinutes } from './number-formats.tsx';
import { DashboardPanel } from './dashboard-panel.tsx';
import { type Period, useDashboardPart } from './use-dashboard-part.ts';

/** Shows the time from arrival to report. */
export function TurnaroundPanel() {
  return (
    <DashboardPanel
      title={t`Turnaround`}
      beside={t`arrival to signature`}
      info={t`Time from the arrival of a study to the signature of its first report, for reports signed in the period, by priority. P50 is the median, P90 the 90th percentile. Both are within 5 % of the exact value.`}
      result={useDashboardPart('turnaround')}
      lines={4}
    >
      {({ turnaround = [], from, to }) => <TurnaroundTable rows={turnaround} period={{ from, to }} />}
    </DashboardPanel>
  );
}

function TurnaroundTable({ rows, period: { from, to } }: { rows: DashboardTurnaround; period: Period }) {
  const longest = Math.max(1, ...rows.map(({ p90Minutes }) => p90Minutes ?? 0));
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{t`Priority`}</th>
          <th scope="col">P50</th>
          <th scope="col">P90</th>
          <th scope="col">{t`Studies`}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ priority, count, p50Minutes, p90Minutes }) => (
          <tr key={priority}>
            <th scope="row">
              <PriorityMark priority={priority} />
            </th>
            <td>
              {formatMinutes(p50Minutes)}
              <Bar part={(p50Minutes ?? 0) / longest} />
            </td>
            <td>
              {formatMinutes(p90Minutes)}
              <Bar part={(p90Minutes ?? 0) / longest} tone="warning" />
            </td>
            <td className={styles.last}>
              <Link
                to="/reports"
                search={{ view: 'FINALIZED', signedFrom: from, signedTo: to, priority, isFirst: 'true' }}
                className={styles.figure}
              >
                {formatCount({ total: count })}
              </Link>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Shows the workload per reader, for users who manage the practice. */
export function WorkloadPanel() {
  return (
    <DashboardPanel
      title={t`Workload`}
      beside={t`by reader`}
      info={t`Reports signed in the period and studies currently assigned, for each reader.`}
      result={useDashboardPart('workload')}
      lines={5}
    >
      {({ workload, from, to }) => workload && <WorkloadTable rows={workload} period={{ from, to }} />}
    </DashboardPanel>
  );
}

function WorkloadTable({ rows, period: { from, to } }: { rows: DashboardWorkload; period: Period }) {
  if (rows.length === 0) return <p className={styles.summary}>{t`No signed reports and no assigned studies.`}</p>;
  const most = Math.max(1, ...rows.map(({ signed }) => signed));
  return (
    <div className={styles.scrolling} tabIndex={0} role="region" aria-label={t`Workload by reader`}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t`Reader`}</th>
            <th scope="col">{t`Signed`}</th>
            <th scope="col">{t`Assigned`}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ reader, signed, assigned }) => (
            <tr key={reader.id}>
              <th scope="row">{reader.name}</th>
              <td>
                <Link
                  to="/reports"
                  search={{ view: 'FINALIZED', signedFrom: from, signedTo: to, signedBy: reader.id }}
                  className={styles.figure}
                >
                  {formatCount({ total: signed })}
                </Link>
                <Bar part={signed / most} />
              </td>
              <td className={styles.last}>
                <Link to="/studies" search={{ assigneeId: reader.id }} className={styles.figure}>
                  {formatCount({ total: assigned })}
                </Link>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
