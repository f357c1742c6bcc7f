import { t } from '@lingui/core/macro';
import type { DashboardCount, DashboardTiles } from '@radwork/contract/insight/dashboard';
import { Link, type LinkProps } from '@tanstack/react-router';
import { Skeleton, ErrorState } from '#ui/feedback/content-states.tsx';
import styles from './dashboard.module.css';
import { formatCount, isNone } from './number-formats.tsx';
import type { PartQuery } from './use-dashboard-part.ts';

type Tile = {
  label: string;
  count: DashboardCount;
  to: LinkProps;
  /** A second number, which appears next to the first number. */
  more?: { label: string; to: LinkProps } | undefined;
  tone?: 'danger' | 'warning';
};

/** Shows the numbers of open tasks. Each number links to its list. */
export function WorkTiles({ result }: { result: PartQuery }) {
  const tiles = result.data?.tiles;
  if (!tiles) {
    return (
      <div className={styles.tiles}>
        {result.isLoadingError ? (
          <ErrorState failed={t`Could not load counts`} error={result.error} onRetry={() => void result.refetch()} />
        ) : (
          <div className={styles.tilesLoading}>
            <Skeleton lines={3} label={t`Loading counts`} />
          </div>
        )}
      </div>
    );
  }
  return (
    <ul className={styles.tiles} aria-label={t`Tasks`}>
      {tilesOf(tiles).map((tile) => (
        <li key={tile.label}>
          <OneTile {...tile} />
        </li>
      ))}
    </ul>
  );
}

function OneTile({ label, count, to, more, tone }: Tile) {
  return (
    <div className={styles.tile} data-tone={isNone(count) ? undefined : tone}>
      <Link {...to} className={styles.tileLink}>
        <span className={styles.tileNumber}>{formatCount(count)}</span>{' '}
        <span className={styles.tileLabel}>{label}</span>
      </Link>
      {more && (
        <Link {...more.to} className={styles.tileMore}>
          {more.label}
        </Link>
      )}
    </div>
  );
}

const totalOf = (all: DashboardCount): string => {
  const count = formatCount(all);
  return t`${count} total`;
};

const tilesOf = (tiles: DashboardTiles): Tile[] => {
  const { unread, inProgress, overdue, unassigned, myDrafts, toReview, openCritical, myStudies, reportsReady } = tiles;
  const work = (
    { all: label, mine: labelOfMine }: { all: string; mine: string },
    { mine, ...all }: DashboardTiles['unread'],
    search: { stage?: 'UNREAD' | 'OVERDUE'; status?: 'IN_PROGRESS' },
    tone?: Tile['tone'],
  ): Tile => ({
    label: mine ? labelOfMine : label,
    count: mine ?? all,
    to: { to: '/studies', search: mine ? { ...search, view: 'MINE' } : search },
    more: mine ? { label: totalOf(all), to: { to: '/studies', search } } : undefined,
    ...(tone && { tone }),
  });
  const some = (label: string, count: DashboardCount | null, to: LinkProps, tone?: Tile['tone']): Tile[] =>
    count ? [{ label, count, to, ...(tone && { tone }) }] : [];
  return [
    ...some(t`My patients’ studies`, myStudies, { to: '/studies' }),
    ...some(t`Reports ready`, reportsReady, { to: '/reports', search: { view: 'FINALIZED' } }),
    work({ all: t`Unread`, mine: t`Unread, mine` }, unread, { stage: 'UNREAD' }),
    ...(unread.mine ? [] : some(t`Unassigned`, unassigned, { to: '/studies', search: { view: 'UNASSIGNED' } })),
    work({ all: t`In progress`, mine: t`In progress, mine` }, inProgress, { status: 'IN_PROGRESS' }),
    work({ all: t`Overdue`, mine: t`Overdue, mine` }, overdue, { stage: 'OVERDUE' }, 'warning'),
    ...some(t`My drafts`, myDrafts, { to: '/reports', search: { view: 'MINE', status: 'DRAFT' } }),
    ...some(t`To review`, toReview, { to: '/reports', search: { view: 'TO_REVIEW' } }),
    ...some(t`Open critical`, openCritical, { to: '/critical-findings' }, 'danger'),
  ];
};
