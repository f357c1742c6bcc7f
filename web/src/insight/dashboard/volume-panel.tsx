import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import type { DashboardVolume } from '@radwork/contract/insight/dashboard';
import { Link, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { Skeleton } from '#ui/feedback/content-states.tsx';
import styles from './dashboard.module.css';
import { formatCount } from './number-formats.tsx';
import { DashboardPanel } from './dashboard-panel.tsx';
import { type Period, useDashboardPart } from './use-dashboard-part.ts';
import { otherName, seriesOf } from './volume-series.ts';

const VolumeChart = lazy(async () => ({ default: (await import('./volume-chart.tsx')).VolumeChart }));

const steps = {
  DAY: t`by day and modality`,
  WEEK: t`by week and modality`,
  MONTH: t`by month and modality`,
} as const;

/** Shows new studies by day and modality, as a chart or as a table. Each number in the table links to its studies. */
export function VolumePanel() {
  const [isTable, setTable] = useState(false);
  const result = useDashboardPart('volume');
  return (
    <DashboardPanel
      title={t`Studies arrived`}
      beside={result.data?.volume && steps[result.data.volume.step]}
      info={t`Studies by day of arrival, in the time zone of your organization, and by main modality. A registered study arrives with its first images. The recycle bin is excluded.`}
      result={result}
      lines={8}
      actions={
        <Button size="compact-sm" variant="default" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          {isTable ? t`Show as chart` : t`Show as table`}
        </Button>
      }
    >
      {({ volume, from, to }) => volume && <Volume volume={volume} period={{ from, to }} isTable={isTable} />}
    </DashboardPanel>
  );
}

function Volume({ volume, period, isTable }: { volume: DashboardVolume; period: Period; isTable: boolean }) {
  const navigate = useNavigate();
  if (volume.modalities.length === 0) return <p className={styles.summary}>{t`No studies arrived in this period.`}</p>;
  return (
    <>
      <Totals volume={volume} period={period} />
      {isTable ? (
        <VolumeTable volume={volume} />
      ) : (
        <Suspense
          fallback={
            <div className={styles.chart}>
              <Skeleton lines={6} label={t`Loading chart`} />
            </div>
          }
        >
          <div className={styles.chart} aria-hidden>
            <VolumeChart
              volume={volume}
              onColumn={({ from, to }) =>
                void navigate({
                  to: '/studies',
                  search: { arrivedFrom: from, arrivedTo: to, sort: 'createdDate,desc' },
                })
              }
            />
          </div>
        </Suspense>
      )}
    </>
  );
}

/** Shows the total of each modality, in the order and colors of the chart. */
function Totals({ volume, period: { from, to } }: { volume: DashboardVolume; period: Period }) {
  const colors = new Map(seriesOf(volume).map(({ name, color }) => [name, color]));
  return (
    <ul className={styles.totals} aria-label={t`Studies arrived by modality`}>
      {volume.modalities.map(({ modality, total }) => (
        <li key={modality}>
          <span className={styles.swatch} style={{ background: colors.get(modality) ?? colors.get(otherName) }} />
          {modality}{' '}
          <Link
            to="/studies"
            search={{ mainModality: modality, arrivedFrom: from, arrivedTo: to }}
            className={styles.figure}
            aria-label={`${total} ${modality}`}
          >
            {formatCount({ total })}
          </Link>
        </li>
      ))}
    </ul>
  );
}

function VolumeTable({ volume: { columns, modalities } }: { volume: DashboardVolume }) {
  return (
    <div className={styles.chart} tabIndex={0} role="region" aria-label={t`Table of arrived studies`}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t`Arrived`}</th>
            {modalities.map(({ modality }) => (
              <th key={modality} scope="col">
                {modality}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {columns.toReversed().map(({ from, to, counts }) => (
            <tr key={from}>
              <th scope="row">{from === to ? from : `${from} – ${to}`}</th>
              {modalities.map(({ modality }) => (
                <td key={modality}>
                  {counts[modality] !== undefined && (
                    <Link
                      to="/studies"
                      search={{ mainModality: modality, arrivedFrom: from, arrivedTo: to }}
                      className={styles.figure}
                      aria-label={`${counts[modality]} ${modality}, ${from}`}
                    >
                      {formatCount({ total: counts[modality] })}
                    </Link>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
