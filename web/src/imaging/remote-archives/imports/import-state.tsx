import { formatNumber } from '#ui/formats/formats.ts';
import { t } from '@lingui/core/macro';
import { Progress } from '@mantine/core';
import { type ImportJob, importJobStateLabels } from '@radwork/contract/imaging/import-jobs';
import type { ImportJobState } from '@radwork/contract/imaging/import-job-states';
import { type PillShape, StatusPill, type Tone } from '#ui/marks/status-pill.tsx';
import styles from '#imaging/remote-archives/remote-archives.module.css';

const looks: Record<ImportJobState, { tone: Tone; shape: PillShape }> = {
  QUEUED: { tone: 'secondary', shape: 'ring' },
  RUNNING: { tone: 'info', shape: 'half' },
  PARTIAL: { tone: 'warning', shape: 'half' },
  DONE: { tone: 'success', shape: 'dot' },
  FAILED: { tone: 'danger', shape: 'diamond' },
  CANCELLED: { tone: 'secondary', shape: 'dot' },
};

export const importStateLabel = (state: ImportJobState): string => importJobStateLabels[state];

export function ImportStatePill({ state }: { state: ImportJobState }) {
  return <StatusPill {...looks[state]} label={importStateLabel(state)} />;
}

/** Shows the number of received instances as a bar and as text. */
export function ImportProgress({ job }: { job: ImportJob }) {
  const { state, expected, received, failed } = job;
  const words = countWords(job);
  // Omits the bar of a finished job, because the text already says "Done".
  if (!expected || state === 'DONE') return <span className={styles.counts}>{words}</span>;
  return (
    <span className={styles.progress}>
      <Progress.Root size={5} radius={3} className={styles.meter}>
        <Progress.Section value={(received / expected) * 100} aria-label={t`Received`} />
        <Progress.Section value={(failed / expected) * 100} color="red" aria-label={t`Failed`} />
      </Progress.Root>
      <span className={styles.counts}>{words}</span>
    </span>
  );
}

const countWords = ({ state, expected, received, failed }: ImportJob): string => {
  if (expected === null) return state === 'RUNNING' ? t`Querying the archive` : '';
  const [arrived, total, failures] = [formatNumber(received), formatNumber(expected), formatNumber(failed)];
  return failed > 0 ? t`${arrived} of ${total}, ${failures} failed` : t`${arrived} of ${total}`;
};
