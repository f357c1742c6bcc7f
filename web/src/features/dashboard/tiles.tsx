import { t } from '@lingui/core/macro';
import type { DashboardCount, DashboardTiles } from '@radwork/contract/dashboard';
import { Link, type LinkProps } from '@tanstack/react-router';
import { Skeleton, ErrorState } from '#ui/states.tsx';
import styles from './dashboard.module.css';
import { inWords, isNone } from './number.tsx';
import type { PartQuery } from './use-part.ts';

type Tile = {
  label: string;
  count: DashboardCount;
  to: LinkProps;
  /** A second number next to the first. */
  more?: { label: string; count: DashboardCount; to: LinkProps } | undefined;
  tone?: 'danger' | 'warning';
};

/** Shows the numbers of open work. Each opens its list. */
export function Tiles({ shown }: { shown: PartQuery }) {
  const tiles = shown.data?.tiles;
  if (!tiles) {
    return (
      <div className={styles.tiles}>
        {shown.isLoadingError ? (
          <ErrorState
            failed={t`The counts could not be loaded`}
            error={shown.error}
            onRetry={() => void shown.refetch()}
          />
        ) : (
          <div className={styles.tilesLoading}>
            <Skeleton lines={3} label={t`Loading the counts`} />
          </div>
        )}
      </div>
    );
  }
  return (
    <ul className={styles.tiles} aria-label={t`What is to be done`}>
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
        <span className={styles.tileNumber}>{inWords(count)}</span> <span className={styles.tileLabel}>{label}</span>
      </Link>
      {more && (
        <Link {...more.to} className={styles.tileMore}>
          {inWords(more.count)} {more.label}
        </Link>
      )}
    </div>
  );
}

const tilesOf = (tiles: DashboardTiles): Tile[] => {
  const { unread, inProgress, overdue, unassigned, myDrafts, toReview, openCritical, myStudies, reportsReady } = tiles;
  const work = (
    label: string,
    { mine, ...all }: DashboardTiles['unread'],
    search: { stage?: 'UNREAD' | 'OVERDUE'; status?: 'IN_PROGRESS' },
    tone?: Tile['tone'],
  ): Tile => ({
    label: mine ? t`${label}, mine` : label,
    count: mine ?? all,
    to: { to: '/studies', search: mine ? { ...search, view: 'MINE' } : search },
    more: mine ? { label: 'in all', count: all, to: { to: '/studies', search } } : undefined,
    ...(tone && { tone }),
  });
  const some = (label: string, count: DashboardCount | null, to: LinkProps, tone?: Tile['tone']): Tile[] =>
    count ? [{ label, count, to, ...(tone && { tone }) }] : [];
  return [
    ...some('My patients’ studies', myStudies, { to: '/studies' }),
    ...some('Reports ready', reportsReady, { to: '/reports', search: { view: 'FINALIZED' } }),
    work('Unread', unread, { stage: 'UNREAD' }),
    ...(unread.mine ? [] : some('Unassigned', unassigned, { to: '/studies', search: { view: 'UNASSIGNED' } })),
    work('In progress', inProgress, { status: 'IN_PROGRESS' }),
    work('Overdue', overdue, { stage: 'OVERDUE' }, 'warning'),
    ...some('My drafts', myDrafts, { to: '/reports', search: { view: 'MINE', status: 'DRAFT' } }),
    ...some('To review', toReview, { to: '/reports', search: { view: 'TO_REVIEW' } }),
    ...some('Open critical', openCritical, { to: '/critical-findings' }, 'danger'),
  ];
};
