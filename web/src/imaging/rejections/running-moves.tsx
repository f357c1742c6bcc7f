import { t } from '@lingui/core/macro';
import { seriesMoves } from '@radwork/contract/imaging/series-moves';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { may } from '#core/state/session.ts';
import { Notice } from '#ui/feedback/notice.tsx';
import { MoveProgress, useMoves } from './move-progress.tsx';
import styles from './rejected-images.module.css';

/** Shows the moves of series of a study that run, and those that failed within a day. Shows nothing without any. */
export function RunningMoves({ study }: { study: StudyDetails }) {
  const isAllowed = may(seriesMoves.ofStudy);
  const { data } = useMoves(study.id, { isOn: isAllowed });
  const moves = data?.filter(({ state }) => state === 'COPYING' || state === 'FAILED') ?? [];
  if (moves.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="series-moves">
      <h2 id="series-moves">{t`Moves of series`}</h2>
      <ul className={styles.list}>
        {moves.map((move) => (
          <li key={move.id} className={styles.entry}>
            <span className={styles.why}>{nameOf(study, move.seriesInstanceUID)}</span>
            {move.state === 'COPYING' && <MoveProgress studyId={study.id} move={move} />}
            {move.state === 'FAILED' && <Notice tone="danger">{t`The series was not moved. ${move.cause}`}</Notice>}
          </li>
        ))}
      </ul>
    </section>
  );
}

const nameOf = ({ series }: StudyDetails, uid: string): string => {
  const found = series.find(({ seriesInstanceUID }) => seriesInstanceUID === uid);
  return found ? [found.seriesNumber, found.modality, found.seriesDescription].filter(Boolean).join(' · ') : t`Series`;
};
