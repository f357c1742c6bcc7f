import type { ImportJob } from '@radwork/contract/import-jobs';
import { formatMoment } from '#ui/formats.ts';
import { ErrorState, Skeleton } from '#ui/states.tsx';
import styles from './remote-archives.module.css';
import { useImportJob } from './use-imports.ts';

/** Shows the times of a job, and each failed instance with its reason. */
export function JobDetails({ job }: { job: ImportJob }) {
  const { data, error, isPending, refetch } = useImportJob(job.id);
  if (isPending) return <Skeleton lines={2} />;
  if (error) return <ErrorState failed="The job could not be loaded" error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <dl className={styles.facts}>
        <dt>Study Instance UID</dt>
        <dd className="mono">{job.studyInstanceUID}</dd>
        <dt>Requested by</dt>
        <dd>{job.requestedBy}</dd>
        <dt>Started</dt>
        <dd>{formatMoment(job.startedDate) || 'Not yet'}</dd>
        <dt>Ended</dt>
        <dd>{formatMoment(job.finishedDate) || 'Not yet'}</dd>
        <dt>Attempts</dt>
        <dd>{job.attempts}</dd>
        {job.cause && (
          <>
            <dt>Cause</dt>
            <dd>{job.cause}</dd>
          </>
        )}
      </dl>
      {data.failures.length > 0 && (
        <ul className={styles.failures} tabIndex={0} aria-label="Images that did not come">
          {data.failures.map(({ sopInstanceUID, reason }) => (
            <li key={sopInstanceUID}>
              <span className="mono">{sopInstanceUID}</span> {reason}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
