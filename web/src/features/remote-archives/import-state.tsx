import { Progress } from '@mantine/core';
import type { ImportJob, ImportJobState } from '@radwork/contract/import-jobs';
import { type PillShape, StatusPill, type Tone } from '#ui/status-pill.tsx';
import styles from './remote-archives.module.css';

const looks: Record<ImportJobState, { tone: Tone; shape: PillShape; label: string }> = {
  QUEUED: { tone: 'secondary', shape: 'ring', label: 'Queued' },
  RUNNING: { tone: 'info', shape: 'half', label: 'Running' },
  PARTIAL: { tone: 'warning', shape: 'half', label: 'Partial' },
  DONE: { tone: 'success', shape: 'dot', label: 'Done' },
  FAILED: { tone: 'danger', shape: 'diamond', label: 'Failed' },
  CANCELLED: { tone: 'secondary', shape: 'dot', label: 'Cancelled' },
};

export function ImportStatePill({ state }: { state: ImportJobState }) {
  return <StatusPill {...looks[state]} />;
}

/** Shows the number of received instances as a bar and as text. */
export function ImportProgress({ job }: { job: ImportJob }) {
  const { state, expected, received, failed } = job;
  const words = countWords(job);
  // A full bar adds nothing to "Done".
  if (!expected || state === 'DONE') return <span className={styles.counts}>{words}</span>;
  return (
    <span className={styles.progress}>
      <Progress.Root size={5} radius={3} className={styles.meter}>
        <Progress.Section value={(received / expected) * 100} aria-label="Received" />
        <Progress.Section value={(failed / expected) * 100} color="red" aria-label="Failed" />
      </Progress.Root>
      <span className={styles.counts}>{words}</span>
    </span>
  );
}

const grouped = (count: number) => count.toLocaleString('en-US');

const countWords = ({ state, expected, received, failed }: ImportJob): string => {
  if (expected === null) return state === 'RUNNING' ? 'Asking the archive' : '';
  const arrived = `${grouped(received)} of ${grouped(expected)}`;
  return failed > 0 ? `${arrived}, ${grouped(failed)} failed` : arrived;
};
