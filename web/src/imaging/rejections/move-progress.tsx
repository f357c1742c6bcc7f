import { plural, t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { type SeriesMove, seriesMoves } from '@radwork/contract/imaging/series-moves';
import { useQuery } from '@tanstack/react-query';
import { query, useAction } from '#core/http/api.ts';
import { changedNouns } from './use-restore-images.ts';
import styles from './move-progress.module.css';

/** Milliseconds between two questions for the progress of a running move. */
const askedEvery = 1000;

const isRunning = ({ state }: SeriesMove): boolean => state === 'COPYING';

/**
 * Returns the moves of series of a study, and asks again while one runs. `begun`: the id of a move that may not be among
 * them yet.
 */
export const useMoves = (studyId: string, { isOn = true, begun }: { isOn?: boolean; begun?: string } = {}) =>
  useQuery({
    ...query(seriesMoves.ofStudy, { params: { id: studyId } }),
    enabled: isOn,
    refetchInterval: ({ state: { data = [] } }) => {
      const isMissing = begun !== undefined && !data.some(({ id }) => id === begun);
      return isMissing || data.some(isRunning) ? askedEvery : false;
    },
  });

/** Progress of a running move, with a button to cancel it. */
export function MoveProgress({ studyId, move: { id, images, copied } }: { studyId: string; move: SeriesMove }) {
  const cancel = useAction(seriesMoves.cancel, {
    done: t`Move canceled`,
    failed: t`Could not cancel the move`,
    refreshes: changedNouns,
  });
  return (
    <div className={styles.progress}>
      <span role="status">{t`${copied} of ${plural(images, { one: '# image', other: '# images' })} copied`}</span>
      <progress value={copied} max={images} aria-label={t`Images copied`} />
      <Button
        size="compact-xs"
        variant="default"
        loading={cancel.isPending}
        onClick={() => cancel.mutate({ params: { id: studyId, moveId: id } })}
      >
        {t`Cancel move`}
      </Button>
    </div>
  );
}
