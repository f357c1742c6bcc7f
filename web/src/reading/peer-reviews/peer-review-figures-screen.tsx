import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { peerGrades, peerReviews, type ReaderFigures } from '@radwork/contract/reading/peer-reviews';
import { IconSettings, IconUsersGroup } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { query } from '#core/http/api.ts';
import { EmptyState, ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { DayInput } from '#ui/forms/day-input.tsx';
import { formatNumber } from '#ui/formats/formats.ts';
import { ScreenTitle } from '#ui/layout/screen-title.tsx';
import styles from './peer-reviews.module.css';
import { PeerReviewSettingsDialog } from './settings-dialog.tsx';

const route = getRouteApi('/signed-in/shell/peer-review-figures');
const isDay = (text: string): boolean => text === '' || /^\d{4}-\d{2}-\d{2}$/.test(text);

/** Screen /peer-review-figures: counts by reader and grade, and the settings of peer reviews. */
export function PeerReviewFiguresScreen() {
  const { from, to } = route.useSearch();
  const navigate = useNavigate();
  const [typed, setTyped] = useState({ from: from ?? '', to: to ?? '' });
  const [isChoosing, setChoosing] = useState(false);
  const figures = useQuery(query(peerReviews.figures, { query: { from, to } }));
  const set = (next: Partial<typeof typed>) => {
    const period = { ...typed, ...next };
    setTyped(period);
    if (isDay(period.from) && isDay(period.to)) {
      void navigate({
        to: '/peer-review-figures',
        search: { from: period.from || undefined, to: period.to || undefined },
        replace: true,
      });
    }
  };
  return (
    <>
      <div className={styles.top}>
        <ScreenTitle
          title={t`Peer review figures`}
          actions={
            <Button
              variant="default"
              leftSection={<IconSettings size={16} aria-hidden />}
              onClick={() => setChoosing(true)}
            >
              {t`Settings`}
            </Button>
          }
        />
        <div className={styles.filters}>
          <DayInput label={t`Signed from`} value={typed.from} onChange={(text) => set({ from: text })} />
          <DayInput label={t`Signed until`} value={typed.to} onChange={(text) => set({ to: text })} />
        </div>
      </div>
      <div className={styles.board} role="region" aria-label={t`Figures`} tabIndex={0}>
        {figures.isPending && (
          <div className={styles.loading}>
            <Skeleton lines={6} label={t`Loading figures`} />
          </div>
        )}
        {figures.isLoadingError && (
          <ErrorState failed={t`Failed to load figures`} error={figures.error} onRetry={() => void figures.refetch()} />
        )}
        {figures.data?.length === 0 && (
          <EmptyState icon={IconUsersGroup} title={t`No signed reports`} detail={t`Choose another period.`} />
        )}
        {figures.data && figures.data.length > 0 && <Figures figures={figures.data} />}
      </div>
      {isChoosing && <PeerReviewSettingsDialog onClose={() => setChoosing(false)} />}
    </>
  );
}

function Figures({ figures }: { figures: ReaderFigures[] }) {
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{t`Reader`}</th>
          <th scope="col">{t`Signed`}</th>
          <th scope="col">{t`Random`}</th>
          <th scope="col">{t`Chosen`}</th>
          <th scope="col">{t`Open`}</th>
          {peerGrades.map((grade) => (
            <th key={grade} scope="col">{t`Grade ${grade}`}</th>
          ))}
          <th scope="col">{t`Significant`}</th>
        </tr>
      </thead>
      <tbody>
        {figures.map(({ reader, signed, chosenAtRandom, chosenByHand, open, grades, significant }) => (
          <tr key={reader.id}>
            <th scope="row">{reader.name}</th>
            <td>{formatNumber(signed)}</td>
            <td>{formatNumber(chosenAtRandom)}</td>
            <td>{formatNumber(chosenByHand)}</td>
            <td>{formatNumber(open)}</td>
            {peerGrades.map((grade) => (
              <td key={grade}>{formatNumber(grades[grade - 1] ?? 0)}</td>
            ))}
            <td>{formatNumber(significant)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
